import { describe, expect, it } from 'vitest'
import { PathGlob, problemInPathGlob } from '../../src/url/path-glob.ts'

const CASES: [glob: string, inside: readonly string[], outside: readonly string[]][] = [
  [
    '/private',
    ['/private', '/private/', '/private?x=1', '/private/?x', '/private/a/b.html', '/private#/a'],
    [
      '/',
      '/private-sale',
      '/privat',
      '/docs/private/',
      '/a?next=/private/',
      '/a?/private',
      '/Private',
    ],
  ],
  ['/private/', ['/private', '/private/', '/private/a'], ['/private-sale']],
  ['/a.b', ['/a.b'], ['/acb']],
  ['*.pdf', ['/a.pdf', '/x/y.pdf?v=1', '/.pdf'], ['/a.pdfx', '/pdf', '/a?b.pdf']],
  [
    '/*/print',
    ['/a/print', '/a/b/print/', '/a/print/x', '/a/printer/print'],
    ['/print', '/a/printer'],
  ],
  ['/tag-*', ['/tag-', '/tag-a/b'], ['/tag', '/tags']],
  ['/a*b*c', ['/abc', '/a/b/c', '/axbxc/d', '/abcbc'], ['/ab', '/acb', '/abcd', '/xabc']],
  ['/x/**', ['/x/', '/x/y'], ['/x', '/y']],
  ['*', ['/', '/a/b?c'], []],
  ['/', ['/', '/a/b?c'], []],
  ['/straße/a b', ['/stra%C3%9Fe/a%20b'], ['/strasse/a%20b']],
  ['/%7euser/%c3%a9', ['/~user/%C3%A9/x'], ['/user']],
]

describe('a path pattern', () => {
  it.each(CASES)('%s matches its page and everything below it', (glob, inside, outside) => {
    const pattern = new PathGlob(glob)
    const matching = (paths: readonly string[]) =>
      paths.filter((path) => pattern.test(`https://www.example.com:8443${path}`))
    expect(matching(inside)).toEqual(inside)
    expect(matching(outside)).toEqual([])
  })

  it("doesn't match the host", () => {
    expect(new PathGlob('*private*').test('https://private.test/')).toBe(false)
    expect(new PathGlob('/private.test').test('https://private.test/')).toBe(false)
  })

  it('is matched in time linear in the length of the text', () => {
    const pattern = new PathGlob(`/${'*a'.repeat(500)}*b`)
    const start = performance.now()
    expect(pattern.test(`http://a.test/${'a'.repeat(7_900)}`)).toBe(false)
    expect(performance.now() - start).toBeLessThan(200)
  })

  it.each([
    ['/private', undefined],
    ['*.pdf', undefined],
    ['private', 'a path such as /private or *.pdf (did you mean /private?)'],
    ['', 'a path such as /private or *.pdf'],
    ['/a?b', 'a path such as /private or *.pdf, without ? and #'],
    ['https://a.test/b/c?d', 'a path such as /private or *.pdf (did you mean /b/c?)'],
    ['https://[', 'a path such as /private or *.pdf'],
  ])('%j is validated', (text, problem) => {
    expect(problemInPathGlob(text)).toBe(problem)
  })
})
