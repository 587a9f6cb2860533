import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalize } from '../../src/url/canonicalize.ts'
import { LinkResolver, MAX_URL_LENGTH } from '../../src/url/resolve.ts'
import { growth, SLACK } from '../support/growth.ts'
import { randomCases } from '../support/soak.ts'
import { arbitraryHref } from './arbitrary-href.ts'

const PAGE = 'http://example.com/a/b.html?c'

describe('LinkResolver', () => {
  it.each([
    ['', PAGE],
    ['#top', PAGE],
    [' #top', PAGE],
    ['?d', 'http://example.com/a/b.html?d'],
    ['c.html', 'http://example.com/a/c.html'],
    ['./c/./../d#e', 'http://example.com/a/d'],
    ['//other.org', 'http://other.org/'],
    ['https:c', 'https://c/'],
    ['http:c', 'http://example.com/a/c'],
    [' \n c\td\r .html \0', 'http://example.com/a/cd%20.html'],
    ['x #y', 'http://example.com/a/x%20'],
    ['\\\\other.org\\c\\..\\d', 'http://other.org/d'],
    ['http://me:pw@example.com:80/', 'http://example.com/'],
    ['http://B\u00dcCHER.example/', 'http://xn--bcher-kva.example/'],
    ['http://例え。jp/', 'http://xn--r8jz45g.jp/'],
    ['http://[::FFFF:1]:80/', 'http://[::ffff:1]/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['/é?é', 'http://example.com/%C3%A9?%C3%A9'],
  ])('resolves %j as a browser does', (href, url) => {
    expect(new LinkResolver(PAGE).resolve(href)).toBe(url)
  })

  it.each([
    'javascript:void(0)',
    ' java\nscript:1',
    'MAILTO:a@b',
    'tel:1',
    'data:text/html,x',
    'ftp://h/x',
    'ws://h/',
    'about:blank',
    'blob:http://h/x',
    'http://',
    'http://h:99999/',
    'http://[::1',
    'http://a b/',
    'http://%00/',
    'https://\u00ad/',
  ])('returns nothing for %j', (href) => {
    expect(new LinkResolver(PAGE).resolve(href)).toBeUndefined()
  })

  it('returns nothing for a URL that is too long after it was resolved', () => {
    const resolver = new LinkResolver('http://h/')
    const longest = 'x'.repeat(MAX_URL_LENGTH - 'http://h/'.length)
    expect(resolver.resolve(longest)).toHaveLength(MAX_URL_LENGTH)
    expect(resolver.resolve(`a/../${longest}#y`)).toHaveLength(MAX_URL_LENGTH)
    expect(resolver.resolve(`${longest}x`)).toBeUndefined()
    expect(resolver.resolve('中'.repeat(MAX_URL_LENGTH / 9 + 1))).toBeUndefined()
  })

  it.each([
    ['/k/', 'http://example.com/k/x', 'http://example.com/k/'],
    ['k', 'http://example.com/a/x', 'http://example.com/a/k'],
    ['https://me@other.org/k/l?m#n', 'https://other.org/k/x', 'https://other.org/k/l?m'],
    ['', 'http://example.com/a/x', PAGE],
    ['http://[', 'http://example.com/a/x', PAGE],
    ['data:text/html,k', 'http://example.com/a/x', PAGE],
    ['javascript:k', 'http://example.com/a/x', PAGE],
    ['ftp://other.org/k', undefined, undefined],
    ['about:blank', undefined, undefined],
  ])('resolves against the base %j as a browser does', (baseHref, relative, fragment) => {
    const resolver = new LinkResolver(PAGE, { baseHref })
    expect(resolver.resolve('x')).toBe(relative)
    expect(resolver.resolve('#x')).toBe(fragment)
    expect(resolver.resolve('http://third.org/')).toBe('http://third.org/')
  })

  it('encodes only queries in the encoding of the document', () => {
    const resolver = new LinkResolver(PAGE, { encoding: 'gbk', baseHref: '/?中' })
    expect(resolver.resolve('/中?中#中')).toBe('http://example.com/%E4%B8%AD?%D6%D0')
    expect(resolver.resolve('')).toBe('http://example.com/?%D6%D0')
    const unicode = new LinkResolver(PAGE, { encoding: 'UTF-8' })
    expect(unicode.resolve('?中')).toBe('http://example.com/a/b.html?%E4%B8%AD')
  })

  it('never throws and returns canonical URLs only, for any page, base and encoding', () => {
    const encodings = ['utf-8', 'gbk', 'iso-2022-jp', 'windows-1252', 'utf-16be', '', 'x']
    const options = fc.record(
      { baseHref: arbitraryHref, encoding: fc.constantFrom(...encodings) },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(arbitraryHref, options, (href, option) => {
        const url = new LinkResolver(PAGE, option).resolve(href)
        if (url !== undefined) expect(canonicalize(new URL(url))).toBe(url)
      }),
      { numRuns: randomCases(5_000) },
    )
  })

  it('equals the URL parser on every href of a UTF-8 page', () => {
    fc.assert(
      fc.property(arbitraryHref, (href) => {
        const url = URL.parse(href, PAGE)
        const isHttp = url !== null && /^https?:$/.test(url.protocol)
        expect(new LinkResolver(PAGE).resolve(href)).toBe(isHttp ? canonicalize(url) : undefined)
      }),
      { numRuns: randomCases(10_000) },
    )
  })

  it.each([
    '../',
    'a/',
    'a/../',
    './',
    '/',
    '\\',
    '%',
    '%41',
    '%%32',
    ' ',
    '\t',
    '#',
    ' #',
    '?',
    '?中',
    '中',
    '\u{1f600}',
    '@',
    'http://',
    'http://@',
    'http://a.',
    'http://é',
    'http://[',
    'a:',
  ])('takes time linear in the size of %j', async (piece) => {
    const resolve = (size: number) => {
      const hostile = piece.repeat(size / piece.length)
      for (const encoding of ['utf-8', 'gbk']) {
        const resolver = new LinkResolver(PAGE, { encoding })
        for (const href of [hostile, `?é${hostile}é`, `http://${hostile}`]) resolver.resolve(href)
      }
    }
    expect(await growth(resolve, 4_096)).toBeLessThan(SLACK)
  })

  it('keeps neither the text of the page nor a fragment in memory', () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const hrefs = ['a-plain-relative-path.html', 'http://other.org/some/path', '/b/./path#fragment']
    collect()
    const before = process.memoryUsage().heapUsed
    const found = Array.from({ length: 20 }, (_, page) => {
      const text = `${hrefs.join('|')}${page}${'x'.repeat(2 ** 20)}`
      return text.split('|').map((href) => new LinkResolver(PAGE).resolve(href))
    })
    collect()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5 * 2 ** 20)
    expect(found.flat()).not.toContain(undefined)
  })
})
