import { expect, it } from 'vitest'
import { isRedisUrl } from '../../src/url/redis-url.ts'

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
