import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CANONICAL_RULES,
  type CanonicalRule,
  CanonicalRules,
  type StripQuery,
} from '../../src/url/canonical-rules.ts'
import { canonicalize } from '../../src/url/canonicalize.ts'
import { growth, SLACK } from '../support/growth.ts'
import { randomCases } from '../support/soak.ts'
import { arbitraryHref } from './arbitrary-href.ts'

const cases: Readonly<Record<CanonicalRule, readonly (readonly [string, string, string])[]>> = {
  'strip-www': [
    ['drops www.', 'http://www.h.com/a', 'http://h.com/a'],
    ['keeps the port', 'https://www.h.com:8443/', 'https://h.com:8443/'],
    ['drops repeated ones', 'http://www.www.h.com/', 'http://h.com/'],
    ['keeps www.com, which is the name itself', 'http://www.com/', 'http://www.com/'],
    ['reduces www.www.com to www.com', 'http://www.www.com/', 'http://www.com/'],
    ['keeps www. before a final dot', 'http://www.com./', 'http://www.com./'],
    ['keeps www. before a final dot and a port', 'http://www.com.:81/', 'http://www.com.:81/'],
    ['keeps www1. and wwwx.', 'http://www1.h.com/', 'http://www1.h.com/'],
    ['keeps www. inside a host', 'http://a.www.h.com/', 'http://a.www.h.com/'],
    ['keeps www. in the path', 'http://h.com/www.a.b', 'http://h.com/www.a.b'],
    ['keeps an IPv6 address', 'http://[::1]/', 'http://[::1]/'],
  ],
  'strip-session': [
    ['drops PHPSESSID', 'http://h/a?PHPSESSID=1', 'http://h/a'],
    ['drops PHPSESSID in any case', 'http://h/a?b=1&phpSessId=1&c=2', 'http://h/a?b=1&c=2'],
    ['drops jsessionid from the query', 'http://h/?jsessionid=1&b', 'http://h/?b'],
    ['drops ASPSESSIONID with letters', 'http://h/?ASPSESSIONIDQQABCD=1', 'http://h/'],
    ['drops CFID and CFTOKEN', 'http://h/?CFID=1&a=1&CFTOKEN=2', 'http://h/?a=1'],
    ['drops osCsid and zenid', 'http://h/?osCsid=1&zenid=2&a=1', 'http://h/?a=1'],
    ['drops ;jsessionid=', 'http://h/a.do;jsessionid=1A.x?b=1', 'http://h/a.do?b=1'],
    ['drops ;jsessionid= in any segment', 'http://h/a;JSESSIONID=1/b', 'http://h/a/b'],
    ['drops a repeated ;jsessionid=', 'http://h/a;jsessionid=1;jsessionid=2', 'http://h/a'],
    ['keeps the parameter after ;jsessionid=', 'http://h/a;jsessionid=1;v=2', 'http://h/a;v=2'],
    [
      'creates no double-dot segment',
      'http://h/a/..;jsessionid=1/b',
      'http://h/a/..;jsessionid=1/b',
    ],
    ['creates no single-dot segment', 'http://h/a/.;jsessionid=1', 'http://h/a/.;jsessionid=1'],
    ['keeps dots at the end of a name', 'http://h/a..;jsessionid=1', 'http://h/a..'],
    ['keeps ambiguous names', 'http://h/?sid=1&session=2', 'http://h/?sid=1&session=2'],
    ['keeps longer names with the same start', 'http://h/?PHPSESSIDS=1', 'http://h/?PHPSESSIDS=1'],
    ['keeps a similar path parameter', 'http://h/a;jsession=1', 'http://h/a;jsession=1'],
    [
      'keeps ;jsessionid= inside a query value',
      'http://h/?a=;jsessionid=1',
      'http://h/?a=;jsessionid=1',
    ],
  ],
  'lowercase-path': [
    ['lower-cases the path', 'http://h/A/bC.HTML', 'http://h/a/bc.html'],
    ['keeps the query', 'http://h/A?B=C', 'http://h/a?B=C'],
    ['keeps escapes', 'http://h/A%2FB%C3%89C', 'http://h/a%2Fb%C3%89c'],
    ['lower-cases invalid escapes', 'http://h/%ZZ%', 'http://h/%zz%'],
  ],
  'strip-trailing-slash': [
    ['drops the slash at the end', 'http://h/a/', 'http://h/a'],
    ['drops repeated ones', 'http://h/a///', 'http://h/a'],
    ['keeps the slash of an empty path', 'http://h/', 'http://h/'],
    ['keeps one of several slashes in an empty path', 'http://h//', 'http://h/'],
    ['drops the slash before a query', 'http://h/a/?b=/', 'http://h/a?b=/'],
    ['keeps a slash at the end of a query', 'http://h/a?b/', 'http://h/a?b/'],
    ['keeps other slashes', 'http://h//a/b', 'http://h//a/b'],
  ],
  'strip-index': [
    ['drops index.html', 'http://h/a/index.html', 'http://h/a/'],
    ['drops index.htm', 'http://h/index.htm', 'http://h/'],
    ['drops index.php before a query', 'http://h/index.php?a=1', 'http://h/?a=1'],
    ['drops Default.asp', 'http://h/a/Default.asp', 'http://h/a/'],
    ['drops default.aspx', 'http://h/default.aspx', 'http://h/'],
    ['drops one of two nested indexes', 'http://h/index.html/index.html', 'http://h/index.html/'],
    ['keeps a directory of that name', 'http://h/index.html/', 'http://h/index.html/'],
    ['keeps longer names', 'http://h/myindex.html', 'http://h/myindex.html'],
    ['keeps index.jsp', 'http://h/index.jsp', 'http://h/index.jsp'],
    ['keeps index.html in a query', 'http://h/?/index.html', 'http://h/?/index.html'],
  ],
  'strip-tracking': [
    ['drops utm_*', 'http://h/a?utm_source=x&utm_anything=y', 'http://h/a'],
    ['drops click identifiers', 'http://h/?gclid=1&a=2&fbclid=3', 'http://h/?a=2'],
    ['drops e-mail identifiers', 'http://h/?mc_cid=1&mc_eid=2&_hsenc=3&mkt_tok=4&b', 'http://h/?b'],
    ['drops parameters without a value', 'http://h/?gclid&a', 'http://h/?a'],
    ['drops parameters in any case', 'http://h/?GCLID=1', 'http://h/'],
    [
      "doesn't change the other parameters",
      'http://h/?b=%2F&&utm_id=1&a==',
      'http://h/?b=%2F&&a==',
    ],
    ['keeps an empty query', 'http://h/?', 'http://h/?'],
    [
      'keeps ambiguous parameters of sites',
      'http://h/?ref=a&source=b&pk_=1',
      'http://h/?ref=a&source=b&pk_=1',
    ],
    [
      'keeps longer names with the same start',
      'http://h/?gclidx=1&utm=2',
      'http://h/?gclidx=1&utm=2',
    ],
    ['keeps their names as values', 'http://h/?a=utm_source', 'http://h/?a=utm_source'],
    ['keeps their names in the path', 'http://h/utm_source=1', 'http://h/utm_source=1'],
  ],
  'sort-query': [
    ['sorts by name', 'http://h/?b=1&a=2', 'http://h/?a=2&b=1'],
    ['sorts equal names by value', 'http://h/?a=2&b=1&a=1', 'http://h/?a=1&a=2&b=1'],
    ['sorts by code units', 'http://h/?a=1&B=1&%C3=1', 'http://h/?%C3=1&B=1&a=1'],
    ['compares names up to the =', 'http://h/?a-b=1&a=1', 'http://h/?a=1&a-b=1'],
    ['sorts a missing value before an empty one', 'http://h/?b&a=&a', 'http://h/?a&a=&b'],
    ['keeps empty pairs', 'http://h/?b&&a', 'http://h/?&a&b'],
    ['keeps a sorted query', 'http://h/?a&b=2&c', 'http://h/?a&b=2&c'],
  ],
}

describe.each(CANONICAL_RULES)('the rule %s', (rule) => {
  const rules = new CanonicalRules([rule])

  it.each(cases[rule])('%s', (_, url, rewritten) => {
    const changedBy = url === rewritten ? [] : [rule]
    expect(rules.explain(url)).toEqual({ url: rewritten, changedBy })
    expect(rules.apply(url)).toBe(rewritten)
  })
})

describe('CanonicalRules', () => {
  it('changes nothing without rules', () => {
    const url = 'http://www.h.com/A/index.html?utm_source=x'
    expect(new CanonicalRules([]).explain(url)).toEqual({ url, changedBy: [] })
  })

  it('reports each rule that changed the URL once, in the order of the list', () => {
    const url = 'http://www.h.com/A/index.html/?c&b&gclid=1&PHPSESSID=2'
    const { url: rewritten, changedBy } = new CanonicalRules(CANONICAL_RULES).explain(url)
    expect(rewritten).toBe('http://h.com/a?b&c')
    expect(changedBy).toEqual(CANONICAL_RULES)
  })

  it.each<[string, StripQuery, string, string]>([
    ['the whole query', true, 'http://h/a?b=1&c', 'http://h/a'],
    ['an empty query', true, 'http://h/a?', 'http://h/a'],
    ['a query with a question mark', true, 'http://h/?a?b', 'http://h/'],
    [
      'the named parameters, with and without a value',
      ['b', 'd'],
      'http://h/?a&b=1&c&d&b',
      'http://h/?a&c',
    ],
    ['the last parameter and its question mark', ['b'], 'http://h/a?b=1', 'http://h/a'],
    [
      'a name that is percent-encoded',
      ['a b', 'ü'],
      'http://h/?a+b=1&a%20b&%C3%BC=2&c',
      'http://h/?c',
    ],
  ])('drops %s', (_, stripQuery, url, rewritten) => {
    const rules = new CanonicalRules([], stripQuery)
    expect(rules.explain(url)).toEqual({ url: rewritten, changedBy: ['strip-query'] })
    expect(rules.explain(rewritten)).toEqual({ url: rewritten, changedBy: [] })
  })

  it.each<[StripQuery, string]>([
    [true, 'http://h/a'],
    [false, 'http://h/?a'],
    [['a'], 'http://h/?A&aa=1&b=a&'],
    [['a'], 'http://h/a?'],
  ])('drops no other parameters: %j of %s', (stripQuery, url) => {
    expect(new CanonicalRules([], stripQuery).explain(url)).toEqual({ url, changedBy: [] })
  })

  it('drops parameters in combination with other rules', () => {
    const rules = new CanonicalRules(['sort-query', 'strip-index'], ['b'])
    const changedBy = ['strip-query', 'strip-index', 'sort-query']
    expect(rules.explain('http://h/index.html?c&b&a')).toEqual({ url: 'http://h/?a&c', changedBy })
    const all = new CanonicalRules(['strip-index'], true)
    expect(all.explain('http://h/index.html?c').changedBy).toEqual(['strip-query', 'strip-index'])
  })

  it('removes an index before a slash, and a slash before an index', () => {
    const rules = new CanonicalRules(['strip-index', 'strip-trailing-slash'])
    expect(rules.apply('http://h/a/index.html//index.htm/')).toBe('http://h/a')
    expect(rules.apply('http://h/index.html/index.php')).toBe('http://h/')
  })

  it('rewrites a URL made of many indexes in linear time', async () => {
    const rules = new CanonicalRules(CANONICAL_RULES)
    const rewrite = (size: number) =>
      expect(rules.apply(`http://h${'/index.html'.repeat(size / 11)}`)).toBe('http://h/')
    expect(await growth(rewrite, 8_192)).toBeLessThan(SLACK)
  })

  const pieces = [
    ...['www.', 'WWW.', 'h.com', '/index.html', '/Default.aspx', ';jsessionid=', ';', '.', '..'],
    ...['utm_source=x', 'gclid', 'PHPSESSID=1', 'a=', 'b', '&', '=', '?', '%', '%2F', '%41', 'A'],
  ]
  const arbitraryUrl = fc.oneof(
    arbitraryHref,
    fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.constant('/')), { maxLength: 14 })
      .map((parts) => `http://${parts.join('')}`),
  )

  it("returns URLs that it doesn't change again, for any order of the rules", () => {
    fc.assert(
      fc.property(arbitraryUrl, fc.shuffledSubarray([...CANONICAL_RULES]), (href, names) => {
        const url = URL.parse(href, 'http://www.h.com/a/b?c')
        if (url === null || !/^https?:$/.test(url.protocol)) return
        const rules = new CanonicalRules(names)
        const before = canonicalize(url)
        const { url: after, changedBy } = rules.explain(before)
        expect(canonicalize(new URL(after))).toBe(after)
        expect(rules.explain(after)).toEqual({ url: after, changedBy: [] })
        expect(changedBy.length > 0).toBe(before !== after)
        expect(names).toEqual(expect.arrayContaining([...changedBy]))
        expect(new CanonicalRules(names.toReversed()).apply(before)).toBe(after)
      }),
      { numRuns: randomCases(10_000) },
    )
  })

  it('never throws', () => {
    const rules = new CanonicalRules(CANONICAL_RULES)
    fc.assert(fc.property(fc.string(), (text) => void rules.apply(text)))
  })
})
