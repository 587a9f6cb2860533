import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CrawlerError } from '../../src/errors.ts'
import { expectedSeed, parseSeed } from '../../src/url/seed.ts'
import { randomCases } from '../support/soak.ts'
import { arbitraryHref } from './arbitrary-href.ts'

describe('parseSeed', () => {
  it.each([
    ['http://example.com', 'http://example.com/'],
    [' HTTPS://Example.com:443/a#b\n', 'https://example.com/a'],
    ['http://localhost:8080/', 'http://localhost:8080/'],
  ])('accepts the http or https URL %j', (text, url) => {
    expect(parseSeed(text)).toEqual({ url })
  })

  it.each([
    ['example.com', 'https://example.com/', 'http://example.com/'],
    ['example.com/x?y', 'https://example.com/x?y', 'http://example.com/x?y'],
    ['localhost:8080', 'https://localhost:8080/', 'http://localhost:8080/'],
    ['localhost:8080/x', 'https://localhost:8080/x', 'http://localhost:8080/x'],
    ['example.com:80?x', 'https://example.com:80/?x', 'http://example.com/?x'],
    ['[::1]:80/a', 'https://[::1]:80/a', 'http://[::1]/a'],
    ['127.0.0.1', 'https://127.0.0.1/', 'http://127.0.0.1/'],
    ['例え.jp', 'https://xn--r8jz45g.jp/', 'http://xn--r8jz45g.jp/'],
    ['example.com/a:b', 'https://example.com/a:b', 'http://example.com/a:b'],
  ])('tries %j with https, then with http', (text, url, fallback) => {
    expect(parseSeed(text)).toEqual({ url, fallback })
  })

  it.each(['file:///etc/passwd', '/etc/hosts', './x', '../x', '~/x'])(
    'advises to start a server for %j',
    (text) => {
      const advice =
        'for files of this machine, name an existing folder or page on the command line, or use --folder'
      expect(() => parseSeed(text)).toThrow(
        `expected an http or https URL (${advice}), got \`${text}\``,
      )
    },
  )

  it.each([
    '',
    'ftp://h/',
    'http://',
    'http:',
    'http:/h',
    'http:8080',
    'mailto:a@b',
    'javascript:1',
    'tel:112',
    'data:1',
    'urn:x',
    '//h/x',
    '?x',
    '#x',
    '-d',
    'a b',
    'http://a b/',
    'h:99999',
    'https://h:x/',
    '[::1',
    'http://[::1',
  ])('refuses %j in one sentence', (text) => {
    expect(() => parseSeed(text)).toThrow(
      new CrawlerError('usage', `expected an http or https URL, got \`${text}\``),
    )
  })

  it.each([
    ['mirror', 'mirror'],
    ['2130706433', '2130706433'],
    ['localhosts', 'localhosts'],
  ])("doesn't take a lone word for a host: %j", (text, word) => {
    expect(() => parseSeed(text)).toThrow(
      `expected an http or https URL (to crawl a host with this name, add a scheme: http://${word}/), got `,
    )
  })

  it.each([' index.txt ', 'intranet '])('gives advice for %j regardless of space', (text) => {
    expect(expectedSeed(text)).toBe(
      `an http or https URL (to crawl a host with this name, add a scheme: http://${text.trim()}/)`,
    )
  })

  it.each([
    ['docs/', 'docs'],
    ['intranet/x?y', 'intranet'],
    ['docs/**/*.html', 'docs'],
    [' index.html ', 'index.html'],
  ])('gives advice for files if a host may be a folder or a page: %j', (text, host) => {
    expect(expectedSeed(text)).toBe(
      `an http or https URL (to crawl a host with this name, add a scheme: http://${host}/; for files of this machine, name an existing folder or page on the command line, or use --folder)`,
    )
    expect(() => parseSeed(text)).toThrow('expected an http or https URL (to crawl a host')
  })

  it('hides the password of a seed that looks like a file', () => {
    expect(expectedSeed('me:pw@index.html')).toContain(' http://***@index.html/')
  })

  it.each([
    'localhost',
    'LOCALHOST/x',
    'intranet:80',
    'http://intranet',
    'a.b',
    'host.',
    'me:pw@intranet',
  ])('takes %j for a host', (text) => {
    expect(parseSeed(text).url).toMatch(/^https?:/)
  })

  it('refuses white space', () => {
    expect(() => parseSeed(' \t ')).toThrow('expected an http or https URL, got ``')
  })

  it('refuses a URL that is too long, without repeating it', () => {
    expect(() => parseSeed(`h.test/${'x'.repeat(9_000)}`)).toThrow(
      'expected a URL of at most 8000 characters, got 9015',
    )
    expect(() => parseSeed(`ftp://${'x'.repeat(9_000)}`)).toThrow(/^.{0,300}$/)
  })

  it('throws usage errors only', () => {
    fc.assert(
      fc.property(arbitraryHref, (text) => {
        try {
          expect(parseSeed(text).url).toMatch(/^https?:\/\/[^/]+\//)
        } catch (error) {
          expect(error).toMatchObject({ name: 'CrawlerError', kind: 'usage' })
        }
      }),
      { numRuns: randomCases(3_000) },
    )
  })

  it.each([
    ['https//medium.com/@user', ' (did you mean https://medium.com/@user?)'],
    ['htp://me:pw@h.test/', ' (did you mean http://***@h.test/?)'],
    ['htp://me:12345/pw@h.test/', ''],
  ])('suggests no other host than was meant by %j', (text, suggestion) => {
    expect(() => parseSeed(text)).toThrow(`expected an http or https URL${suggestion}, got \``)
  })

  it('keeps user and password for the origin, and removes them from the URL', () => {
    const authorization = `Basic ${Buffer.from('me:p@ß').toString('base64')}`
    const { url, authorization: secret } = parseSeed('https://me:p%40%C3%9F@example.com/')
    expect([url, secret?.reveal()]).toEqual(['https://example.com/', authorization])
    const sent = (seed: string) => parseSeed(seed).authorization?.reveal()
    expect(sent('http://me:100%@example.com/')).toBe('Basic bWU6MTAwJQ==')
    expect(sent('me@example.com')).toBe('Basic bWU6')
    expect(sent('me:pw@example.com:81/a')).toBe('Basic bWU6cHc=')
    expect(parseSeed('me:pw@example.com:81/a')).toMatchObject({
      url: 'https://example.com:81/a',
      fallback: 'http://example.com:81/a',
    })
    expect(parseSeed('me@example.com')).toMatchObject({
      url: 'https://example.com/',
      fallback: 'http://example.com/',
    })
  })
})
