import { expect, it } from 'vitest'
import { httpUrl, parseStored } from '../../src/database/validate-stored-values.ts'
import { MAX_URL_LENGTH } from '../../src/url/resolve.ts'

it('refuses a URL that is longer than any that a crawl stores', () => {
  const longest = 'https://a.test/'.padEnd(MAX_URL_LENGTH, 'a')
  expect(parseStored(httpUrl, longest, 'url')).toBe(longest)
  expect(() => parseStored(httpUrl, `${longest}a`, 'url')).toThrow('url: expected an http URL, got')
})

it.each(['\r\nX: y', '\x1b[31m', ' ', '\t', '\u009b', '\u202e', 'é'])(
  'a URL with %j in it is damaged: no canonical one has that',
  (text) => {
    const url = `http://a.example/x${text}y`
    expect(() => parseStored(httpUrl, url, 'url')).toThrow('url: expected an http URL, got')
  },
)
