import { expect, it } from 'vitest'
import { EXPECTED_REDIS_URL, expectedRedisUrl, isRedisUrl } from '../../src/url/redis-url.ts'

it.each(['redis://queue', 'rediss://user:a%3Fb@queue:6380/2', 'redis://[::1]:6379/'])(
  'is the URL of a Redis server: %s',
  (url) => {
    expect(isRedisUrl(url)).toBe(true)
  },
)

it.each([
  'redis://queue?db=2',
  'redis://queue:6379/2#a',
  'redis://queue/db',
  'redis:///2',
  'queue',
])('is not the URL of a Redis server: %s', (url) => {
  expect(isRedisUrl(url)).toBe(false)
})

it.each([
  ['queue:6379', 'beginning with redis:// or rediss://'],
  ['b@queue', 'beginning with redis:// or rediss://, and with %2C for a comma in a password'],
  ['redis://user:x@queue?db=2', 'with only the number of a database after the port'],
  ['redis://user:x@queue/db', 'with only the number of a database after the port'],
  ['redis://queue/db', 'with only the number of a database after the port'],
  ['redis://queue:99999', 'with a port of at most 65535'],
  ['redis://user:a/b@queue:6379', 'with %2F for /, %3F for ? and %23 for # in a password'],
  ['redis://user:a?b@queue:6379', 'with %2F for /, %3F for ? and %23 for # in a password'],
])('the message for %s names the likely mistake', (url, advice) => {
  expect(isRedisUrl(url)).toBe(false)
  expect(expectedRedisUrl(url)).toContain(`${EXPECTED_REDIS_URL}, ${advice}`)
})

it('the message for another text is general', () => {
  expect(expectedRedisUrl('redis://')).toBe(EXPECTED_REDIS_URL)
})
