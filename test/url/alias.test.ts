import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aliasOf } from '../../src/url/alias.ts'
import { growth, SLACK } from '../support/growth.ts'

const SITE = 'http://a.test'
const HEX = '0123abcd4567ef89'

/** Kind and plain path of a URL that may be another name of a page. */
function gist(path: string): string | undefined {
  const alias = aliasOf(`${SITE}${path}`)
  return alias && `${alias.kind} ${alias.plain.slice(SITE.length)}`
}

describe('aliasOf', () => {
  it.each([
    ['/p;jsessionid=A1B2.node?x=1', 'named /p?x=1'],
    ['/p.php?a=1&PHPSESSID=x&b=2', 'named /p.php?a=1&b=2'],
    ['/p?CFID=1&CFTOKEN=2', 'named /p'],
    ['/?ASPSESSIONIDQABC=X', 'named /'],
    ['/(S(lit3py55t21z5v55vlm25s55))/p.aspx', 'named /p.aspx'],
    [`/p?sid=${HEX}`, 'session /p'],
    [`/p;sessionId=${HEX}/q`, 'session /p/q'],
    [`/p?t=1&s=${HEX}`, 'session /p?t=1'],
    ['/p?sid=12', 'id /p'],
    [`/p?x=${HEX}&y=1`, 'id /p?x=:id&y=1'],
    [`/s/${HEX}/p`, 'id /s/:id/p'],
    ['/a/a/a/', 'repeat /a/'],
    ['/x/img/blog/img/p.html', 'repeat /x/img/blog/p.html'],
    ['/t?by=a&by=b&by=a', 'repeat /t?by=a&by=b'],
  ])('takes %s for one of %s', (path, expected) => {
    expect(gist(path)).toBe(expected)
  })

  it.each([
    '/',
    '/page-12.html',
    '/2026/11/21',
    '/side?s=1',
    '/p?sid=',
    '/p?x=1&y=1',
    '/a//b//',
    '/unordered_multimap/operator_eq',
    '/inside?busy=1',
  ])('takes %s for none', (path) => {
    expect(gist(path)).toBeUndefined()
  })

  it('leaves out the surest kind of part only', () => {
    expect(gist(`/commit/${HEX};jsessionid=A`)).toBe(`named /commit/${HEX}`)
    expect(gist(`/a/a?sid=${HEX}`)).toBe('session /a/a')
  })

  it('names what it left out alike, whatever the page and the id', () => {
    const marks = [`/p?b=1&sid=${HEX}`, `/q/r?sid=${HEX}1`].map(
      (path) => aliasOf(SITE + path)?.mark,
    )
    expect(marks).toEqual(['session sid', 'session sid'])
    expect(aliasOf(`${SITE}/x/a/b/a/b/`)).toMatchObject({ mark: 'repeat a', directory: 'below /x' })
  })

  it('tells ids as a link would hold them, where a page may keep them', () => {
    expect(aliasOf(`${SITE}/s/${HEX}/p?sid=7`)?.ids).toEqual([HEX, 'sid=7'])
    expect(aliasOf(`${SITE}/p?PHPSESSID=${HEX}`)?.ids).toEqual([])
  })

  it('leaves nothing of a kind behind, whatever the URL', () => {
    const piece = fc.constantFrom('a', 'b', HEX, 'sid=1', `x=${HEX}`, 'PHPSESSID=1', '(S(a1))', '')
    const separator = fc.constantFrom('/', ';', '?', '&')
    const path = fc.array(fc.tuple(separator, piece), { maxLength: 12 })
    fc.assert(
      fc.property(path, (parts) => {
        const url = `${SITE}/${parts.flat().join('')}`
        const alias = aliasOf(url)
        if (alias === undefined || alias.plain.includes(':id')) return
        expect(aliasOf(alias.plain)?.kind).not.toBe(alias.kind)
        expect(URL.canParse(alias.plain)).toBe(true)
      }),
    )
  })

  it.each(['a/', 'a;', '&a', `${HEX}/`, ';sid=1', '&x=0123abcd4567ef89'])(
    'takes time linear in the size of "%s"',
    async (piece) => {
      const read = (size: number) => aliasOf(`${SITE}/?${piece.repeat(size / piece.length)}`)
      expect(await growth(read, 8_000)).toBeLessThan(SLACK)
    },
  )
})
