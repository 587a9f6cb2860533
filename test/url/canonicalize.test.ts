import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalize } from '../../src/url/canonicalize.ts'
import { randomCases } from '../support/soak.ts'
import { arbitraryHref } from './arbitrary-href.ts'

const cases: readonly (readonly [string, string, string])[] = [
  ['drops the fragment', 'http://h/a#b', 'http://h/a'],
  ['drops a fragment with a question mark', 'http://h/a#b?c', 'http://h/a'],
  ['drops the userinfo', 'http://me:secret@h/a', 'http://h/a'],
  ['drops a user without a password', 'http://me@h/a', 'http://h/a'],
  ['drops a password without a user', 'http://:secret@h/a', 'http://h/a'],
  ['keeps an @ after the host', 'http://me@h/@b?c@d', 'http://h/@b?c@d'],
  ['drops the default port of http', 'http://h:80/', 'http://h/'],
  ['drops the default port of https', 'https://h:443/', 'https://h/'],
  ['keeps the default port of the other scheme', 'https://h:80/', 'https://h:80/'],
  ['lower-cases scheme and host, not the path', 'HTTP://EXAMPLE.com/A?B', 'http://example.com/A?B'],
  ['adds a slash for an empty path', 'http://h?q', 'http://h/?q'],
  ['removes dot segments', 'http://h/a/./b/../c', 'http://h/a/c'],
  ['removes escaped dot segments', 'http://h/a/%2e/b/.%2E/c', 'http://h/a/c'],
  ['decodes letters, digits and -._~', 'http://h/%41%7a%30%2D%2e%5F%7e', 'http://h/Az0-._~'],
  ['decodes letters, digits and -._~ in the query', 'http://h/?%61=%7E', 'http://h/?a=~'],
  [
    'keeps other escapes, with upper-case digits',
    'http://h/%2f%3a?%c3%a9',
    'http://h/%2F%3A?%C3%A9',
  ],
  ['decodes once', 'http://h/%2541', 'http://h/%2541'],
  ["doesn't change invalid escapes", 'http://h/%zz%4?%', 'http://h/%zz%4?%'],
  ['creates no escape from a bare % and a decoded digit', 'http://h/%%32e', 'http://h/%%32e'],
  ['creates no escape from a decoded second digit', 'http://h/%2%65', 'http://h/%2%65'],
  ['decodes after an escape that is kept', 'http://h/%2F%65', 'http://h/%2Fe'],
  ['keeps an empty query', 'http://h/?', 'http://h/?'],
  ['keeps repeated and trailing slashes', 'http://h//a//', 'http://h//a//'],
  ['keeps the order of the query', 'http://h/?b=1&a=2', 'http://h/?b=1&a=2'],
]

describe('canonicalize', () => {
  it.each(cases)('%s', (_, url, canonical) => {
    expect(canonicalize(new URL(url))).toBe(canonical)
  })

  it("doesn't change a canonical URL, and returns only visible ASCII", () => {
    fc.assert(
      fc.property(arbitraryHref, (href) => {
        const url = URL.parse(href, 'http://h/a/b?c')
        if (url === null || !/^https?:$/.test(url.protocol)) return
        const canonical = canonicalize(url)
        expect(canonical).toMatch(/^https?:\/\/[^/?#@]+\/[!-~]*$/)
        expect(canonical).not.toContain('#')
        expect(canonicalize(new URL(canonical))).toBe(canonical)
      }),
      { numRuns: randomCases(5_000) },
    )
  })

  it('returns a URL that decodes to the same bytes', () => {
    const bytesOf = (text: string) =>
      text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    fc.assert(
      fc.property(arbitraryHref, (path) => {
        const url = new URL(`http://h/${path.replaceAll(/[#?]/g, '')}`)
        expect(bytesOf(canonicalize(url))).toBe(bytesOf(url.href))
      }),
      { numRuns: randomCases(5_000) },
    )
  })
})
