import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainFormsOf } from '../../src/traps/url-alias.ts'
import { growth, SLACK } from '../support/growth.ts'

const SITE = 'http://a.test'
const HEX = '0123abcd4567ef89'

/** Returns the kinds and the plain paths of the pages that a URL may be an alias of. */
function gist(path: string): string[] {
  return plainFormsOf(SITE + path).map(({ kind, plain }) => `${kind} ${plain.slice(SITE.length)}`)
}

describe('plainFormsOf', () => {
  it.each([
    ['/p;jsessionid=A1B2.node?x=1', 'named /p?x=1'],
    ['/p.php?a=1&PHPSESSID=x&b=2', 'named /p.php?a=1&b=2'],
    ['/p?CFID=1&CFTOKEN=2', 'named /p'],
    ['/?ASPSESSIONIDQABC=X', 'named /'],
    ['/(S(lit3py55t21z5v55vlm25s55))/p.aspx', 'named /p.aspx'],
    [`/p?sid=${HEX}`, 'session /p'],
    [`/p;sessionId=${HEX}/q`, 'session /p/q'],
    [`/p?q=1&s=${HEX}`, 'session /p?q=1'],
    [`/p?XTCsid=${HEX}`, 'session /p'],
    [`/p?userSid=${HEX}`, 'session /p'],
    [`/p?mySID=${HEX}`, 'session /p'],
    [`/p?force_sid=${HEX}`, 'session /p'],
    [`/p?phpsid=${HEX}`, 'session /p'],
    [`/p?classid=${HEX}`, 'id /p?classid=:id'],
    [`/p?newsid=${HEX}`, 'id /p?newsid=:id'],
    ['/p?sid=12', 'id /p'],
    ['/p?t=1764000000', 'id /p'],
    ['/p?a=1&ref=page7', 'id /p?a=1'],
    ['/t?highlight=word&id=7', 'id /t?id=7'],
    ['/login?next=%2Flogin%3Fnext%3D%2Fp', 'named /login'],
    ['/login?next=/register?next%25253D%2Fp&q=1', 'named /login?q=1'],
    [`/p?x=${HEX}&y=1`, 'id /p?x=:id&y=1'],
    [`/s/${HEX}/p`, 'id /s/:id/p'],
    ['/a/a/a/', 'repeat /a/'],
    ['/x/img/blog/img/p.html', 'repeat /x/img/blog/p.html'],
    ['/t?by=a&by=b&by=a', 'repeat /t?by=a&by=b'],
  ])('recognizes %s as an alias of %s', (path, expected) => {
    expect(gist(path)).toEqual([expected])
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
    '/quiz?assessment=12',
    '/news?newsid=12',
    '/stop?busid=12',
    '/case?ACCESSID=12',
    '/login?next=/p',
    '/login?next=%2Fp%3Fnext',
    '/page?reference=7&page=3',
  ])('recognizes no alias in %s', (path) => {
    expect(gist(path)).toEqual([])
  })

  it('removes the most certain kind of part first, then the next as well', () => {
    expect(gist(`/commit/${HEX};jsessionid=A`)).toEqual([`named /commit/${HEX}`, 'id /commit/:id'])
    expect(gist(`/a/a?sid=${HEX}&x=${HEX}`)).toEqual([
      `session /a/a?x=${HEX}`,
      'id /a/a?x=:id',
      'repeat /a?x=:id',
    ])
  })

  it('gives the removed part the same name for any page and id', () => {
    const marksOf = (path: string) => plainFormsOf(SITE + path).map(({ mark }) => mark)
    expect(marksOf(`/p?b=1&sid=${HEX}`)).toEqual(marksOf(`/q/r?sid=${HEX}1`))
    expect(marksOf(`/s/${HEX}/p`)).toEqual(marksOf(`/s/${HEX}1/q`))
    expect(marksOf(`/s/${HEX}/p`)).not.toEqual(marksOf(`/items/${HEX}/p`))
    expect(marksOf(`/s/p?x=${HEX}`)).not.toEqual(marksOf(`/items/p?x=${HEX}`))
    expect(marksOf('/s/p?sid=1')).toEqual(marksOf('/items/p?sid=2'))
    expect(marksOf('/a/b/a/b/')).toEqual(marksOf('/c/a/a/'))
    const directories = ['/x/a/b/a/b/', '/x/c/c'].map(
      (path) => plainFormsOf(SITE + path)[0]?.directory,
    )
    expect(directories).toEqual(['below /x', 'below /x'])
  })

  it('returns ids as they would occur in a link, if a page may contain them', () => {
    const idsOf = (path: string) => plainFormsOf(SITE + path).map(({ ids }) => ids)
    expect(idsOf(`/s/${HEX}/p?sid=7`)).toEqual([[HEX, 'sid=7']])
    expect(idsOf(`/p/${HEX}?PHPSESSID=${HEX}`)).toEqual([[], [HEX]])
  })

  it('removes all parts of a kind, for any URL', () => {
    const piece = fc.constantFrom('a', 'b', HEX, 'sid=1', `x=${HEX}`, 'PHPSESSID=1', '(S(a1))', '')
    const separator = fc.constantFrom('/', ';', '?', '&')
    const path = fc.array(fc.tuple(separator, piece), { maxLength: 12 })
    fc.assert(
      fc.property(path, (parts) => {
        for (const { kind, plain } of plainFormsOf(`${SITE}/${parts.flat().join('')}`)) {
          expect(URL.canParse(plain)).toBe(true)
          if (plain.includes(':id')) continue
          expect(plainFormsOf(plain).map((each) => each.kind)).not.toContain(kind)
        }
      }),
    )
  })

  it('finds no alias in a URL of very many parts', () => {
    for (const separator of ['/', ';', '&']) {
      expect(gist(`/p?sid=${HEX}&a${`${separator}a`.repeat(20)}`)).not.toEqual([])
      expect(gist(`/p?sid=${HEX}&a${`&${separator}a`.repeat(200)}`)).toEqual([])
    }
    expect(gist('/a'.repeat(200))).toEqual([])
    const segments = Array.from({ length: 127 }, (_, index) => `/p${index}`).join('')
    expect(gist(`${segments}/p0`)).toEqual([`repeat ${segments}`])
    expect(gist(`${segments}/x/p0`)).toEqual([])
  })

  it.each(['a/', 'a;', '&a', `${HEX}/`, ';sid=1', '&x=0123abcd4567ef89'])(
    'takes time linear in the size of "%s"',
    async (piece) => {
      const read = (size: number) => plainFormsOf(`${SITE}/?${piece.repeat(size / piece.length)}`)
      expect(await growth(read, 8_000)).toBeLessThan(SLACK)
    },
  )
})
