import { describe, expect, it } from 'vitest'
import { CrawlerError } from '../../src/errors.ts'
import { HostIndex } from '../../src/url/host-index.ts'
import { Scope, type ScopeRules, scopeOfSeeds } from '../../src/url/scope.ts'
import { countPatterns } from '../../src/url/scope-patterns.ts'

const SEEDS = ['https://www.example.com/docs/v1/index.html?a/b']

function scopeOf(rules: Partial<ScopeRules>): Scope {
  return new Scope({ scope: 'host', seeds: SEEDS, include: [], exclude: [], ...rules })
}

const URLS = [
  'https://www.example.com/docs/v1/',
  'http://www.example.com/docs/v1/a/b.html?c',
  'https://www.example.com/docs/v2/',
  'https://www.example.com/?/docs/v1/',
  'https://www.example.com:8443/docs/v1/',
  'https://api.example.com:8443/docs/v1/',
  'https://www.example.com.evil.org/docs/v1/',
  'https://example.org/docs/v1/',
]

describe('Scope', () => {
  it.each([
    ['page', 0],
    ['path', 2],
    ['host', 4],
    ['domain', 6],
    ['any', 8],
  ] as const)('contains the URLs of scope %s and no others', (name, count) => {
    const scope = scopeOf({ scope: name })
    expect(URLS.filter((url) => scope.contains(url))).toEqual(URLS.slice(0, count))
    expect(URLS.toReversed().filter((url) => scope.contains(url))).toHaveLength(count)
  })

  it('records which patterns have matched, from any thread', () => {
    const patterns = {
      ...{ include: ['/v1', 'never'], exclude: ['v1/a', '^/docs'] },
      ...{ includePath: ['/docs', '/blog'], excludePath: ['/docs', '/doc'] },
    }
    const matched = new SharedArrayBuffer(countPatterns(patterns))
    const [one, other] = [scopeOf({ ...patterns, matched }), scopeOf({ ...patterns, matched })]
    expect(one.unmatched).toEqual(patterns)
    for (const url of URLS) other.contains(url)
    expect(one.unmatched).toEqual({
      ...{ include: ['never'], exclude: ['^/docs'] },
      ...{ includePath: ['/blog'], excludePath: ['/doc'] },
    })
  })

  it('requires URLs to be below the paths and to match the patterns, too', () => {
    const scope = scopeOf({
      ...{ include: ['html'], exclude: ['draft'] },
      ...{ includePath: ['/docs', '/blog'], excludePath: ['/docs/old', '*.pdf'] },
    })
    const whyNot = (path: string) => scope.whyNot(`https://www.example.com${path}`)
    expect(['/docs/a.html', '/blog/b.html', '/docs/older/a.html'].map(whyNot)).toEqual(
      Array(3).fill(undefined),
    )
    const excluded = [
      '/a.html',
      '/docs/a',
      '/docs/old/a.html',
      '/docs/draft.html',
      '/docs/html.pdf',
    ]
    expect(excluded.map(whyNot)).toEqual(excluded.map(() => 'excluded'))
    const rules = excluded.map((path) => scope.exclusionOf(`https://www.example.com${path}`))
    expect(rules).toEqual([undefined, undefined, '/docs/old', 'draft', '*.pdf'])
  })

  it('is the union of those of several seeds', () => {
    const scope = scopeOf({ scope: 'path', seeds: ['http://h/a/', 'http://h/b/c', 'http://i/d/'] })
    const urls = ['http://h/a/x', 'http://h/b/x', 'http://i/d/x', 'http://h/d/x', 'http://i/a/x']
    expect(urls.map((url) => scope.contains(url))).toEqual([true, true, true, false, false])
  })

  it('compares hosts without a registrable domain as a whole', () => {
    const scope = scopeOf({
      scope: 'domain',
      seeds: ['http://127.0.0.1:8080/', 'http://localhost/'],
    })
    expect(scope.contains('http://127.0.0.1/')).toBe(true)
    expect(scope.contains('http://localhost:3000/')).toBe(true)
    expect(scope.contains('http://126.0.0.1/')).toBe(false)
    expect(scope.contains('http://www.localhost/')).toBe(false)
  })

  it.each([
    ['path', 'http://new.org/d/x', 'http://new.org/x'],
    ['host', 'http://new.org/x', 'http://www.new.org/x'],
    ['domain', 'http://www.new.org/x', 'http://older.org/'],
  ] as const)('is widened by a redirect within scope %s', (name, inside, outside) => {
    const scope = scopeOf({ scope: name })
    expect(scope.contains(inside)).toBe(false)
    scope.widen('http://new.org/d/e')
    expect(scope.contains(inside)).toBe(true)
    expect(scope.contains(outside)).toBe(false)
    expect(scope.contains('https://www.example.com/docs/v1/')).toBe(true)
  })

  it('contains only the seeds and the targets of their redirects with scope page', () => {
    const scope = scopeOf({
      scope: 'page',
      ...scopeOfSeeds('page', ['http://a/b', 'http://a/c?d']),
    })
    const urls = ['http://a/b', 'http://a/c?d', 'http://a/', 'http://a/c', 'https://a/b']
    expect(urls.map((url) => scope.contains(url))).toEqual([true, true, false, false, false])
    scope.widen('http://a/c')
    expect(urls.map((url) => scope.contains(url))).toEqual([true, true, false, true, false])
  })

  it('contains only URLs that match an include pattern, if there are any', () => {
    const scope = scopeOf({ include: ['\\.html$', '/api/'] })
    expect(scope.contains('https://www.example.com/a.html')).toBe(true)
    expect(scope.contains('https://www.example.com/api/a')).toBe(true)
    expect(scope.contains('https://www.example.com/a.html?b')).toBe(false)
    expect(scope.contains('https://other.org/a.html')).toBe(false)
  })

  it('excludes URLs that match an exclude pattern, included or not', () => {
    const scope = scopeOf({ scope: 'any', include: ['a'], exclude: ['b', '^https:'] })
    const urls = ['http://h/a', 'http://h/ab', 'https://h/a', 'http://h/c']
    expect(urls.map((url) => scope.contains(url))).toEqual([true, false, false, false])
  })

  it('refuses a pattern that is no regular expression', () => {
    expect(() => scopeOf({ exclude: ['('] })).toThrow(
      new CrawlerError('usage', 'expected a regular expression, got `(`'),
    )
  })
})

describe('scopeOfSeeds', () => {
  const pages = Array.from({ length: 1_000 }, (_, n) => `https://a.example/${n % 3}/${n}`)
  const seeds = [...pages, 'https://b.example/', 'http://b.example/x']

  it.each([
    ['any', 0, 0],
    ['domain', 0, 2],
    ['host', 0, 2],
    ['path', 4, 0],
  ] as const)(
    'of scope %s are %i seeds and %i members, and result in the same scope',
    (name, count, size) => {
      const { seeds: few, members } = scopeOfSeeds(name, seeds)
      expect([few.length, members ? new HostIndex(members).size : 0]).toEqual([count, size])
      const rules = { scope: name, seeds: few, ...(members && { members }) }
      const [all, same] = [scopeOf({ scope: name, seeds }), scopeOf(rules)]
      const urls = ['/', '/0/', '/2/x', '/3/x', '/2'].flatMap((path) => [
        ...[`https://a.example${path}`, `https://b.example${path}`, `https://c.example${path}`],
      ])
      expect(urls.map((url) => same.contains(url))).toEqual(urls.map((url) => all.contains(url)))
    },
  )
})
