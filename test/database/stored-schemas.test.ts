import { expect, it } from 'vitest'
import { httpUrl, parseStored } from '../../src/database/stored-schemas.ts'
import { MAX_URL_LENGTH } from '../../src/url/resolve.ts'

it('refuses a URL that is longer than any that a crawl stores', () => {
  const longest = 'https://a.test/'.padEnd(MAX_URL_LENGTH, 'a')
  expect(parseStored(httpUrl, longest, 'url')).toBe(longest)
  expect(() => parseStored(httpUrl, `${longest}a`, 'url')).toThrow('url: expected an http URL, got')
})
