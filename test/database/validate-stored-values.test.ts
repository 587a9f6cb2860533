import { describe, expect, it } from 'vitest'
import {
  httpUrl,
  parseStored,
  parseStoredJson,
  text,
  urlTestFor,
} from '../../src/database/validate-stored-values.ts'
import { MAX_URL_LENGTH } from '../../src/url/resolve.ts'

it('a stored URL is refused if it is longer than a crawl stores', () => {
  const longest = 'https://a.test/'.padEnd(MAX_URL_LENGTH, 'a')
  expect(parseStored(httpUrl, longest, 'url')).toBe(longest)
  expect(() => parseStored(httpUrl, `${longest}a`, 'url')).toThrow('url: expected an http URL, got')
})

it.each(['\r\nX: y', '\x1b[31m', ' ', '\t', '\u009b', '\u202e', 'é'])(
  'a stored URL is refused if it contains %j, which no canonical URL contains',
  (part) => {
    const url = `http://a.example/x${part}y`
    expect(() => parseStored(httpUrl, url, 'url')).toThrow('url: expected an http URL, got')
  },
)

it('stored JSON is refused if it nests too deeply', () => {
  const deep = `${'{"0":'.repeat(5_000)}1${'}'.repeat(5_000)}`
  const refusal = 'settings: expected JSON with at most 1,000 nested lists and objects, got more'
  expect(() => parseStoredJson(text, deep, 'settings')).toThrow(refusal)
})

describe('the check for stored URLs of a host', () => {
  it('accepts URLs of both schemes, and none of another host', () => {
    const isOwn = urlTestFor('a.test:8080')
    expect(['http://a.test:8080/', 'https://a.test:8080/b?c#/d'].map(isOwn)).toEqual([true, true])
    const others = [
      ...['http://a.test/', 'http://a.test:8080', 'http://b.test:8080/', 'ftp://a.test:8080/'],
      ...['http://a.test:8080@b.test/', 'http://a.test:8080/\r\nx', 'http://a.test:8080/é'],
      ...[null, 7, `http://a.test:8080/${'x'.repeat(MAX_URL_LENGTH)}`],
    ]
    expect(others.filter(isOwn)).toEqual([])
  })

  it.each(['0x7f.1', 'A.test', 'a.test:80', 'b.test\\@a.test', 'user@a.test', ''])(
    'accepts no URL if a parser reads the host name %j differently',
    (key) => {
      expect(urlTestFor(key)(`http://${key}/`)).toBe(false)
    },
  )
})
