import { describe, expect, it } from 'vitest'
import { pathPattern } from '../../src/traps/path-pattern.ts'
import { growth, SLACK } from '../support/growth.ts'

function tokensOf(path: string): readonly string[] {
  return pathPattern(`http://a.test${path}`).tokens
}

describe('pathPattern', () => {
  it('has placeholders for numbers and dates', () => {
    expect(tokensOf('/cal/2026-11-21/page-12.html')).toEqual(['cal', '#', 'page-#.html'])
  })

  it('has one placeholder for ids of any alphabet', () => {
    for (const id of [
      'f81d4fae-7dec-11d0-a765',
      '9b2e4c6a7d8f',
      'aB3xZ9_qL0-kW2',
      '(S(lit3py55t2))',
    ]) {
      expect(tokensOf(`/s/${id}/cart`)).toEqual(['s', ':id', 'cart'])
    }
  })

  it('keeps names that contain a number distinct', () => {
    expect(tokensOf('/iso-8859-1/utf8.html')).toEqual(['iso-#', 'utf#.html'])
    expect(tokensOf('/unordered_multimap/operator_eq')).toEqual([
      'unordered_multimap',
      'operator_eq',
    ])
  })

  it('has the names of query and matrix parameters without their values', () => {
    expect(tokensOf('/list?sort=up&page=3')).toEqual(['list', '?page&sort'])
    expect(tokensOf('/list;jsessionid=A1B2')).toEqual(['list;jsessionid'])
  })

  it('is the same for a query in another order', () => {
    expect(tokensOf('/list?b=1&a=2')).toEqual(tokensOf('/list?a=9&b=8'))
  })

  it('folds repeated segments, and counts them', () => {
    expect(pathPattern('http://a.test/a/a/a/')).toEqual({ tokens: ['a'], repeats: 2 })
    expect(pathPattern('http://a.test/2026/11/21')).toEqual({ tokens: ['#'], repeats: 2 })
  })

  it('is the same for repeated segments in any order', () => {
    const wound = ['x', '...']
    expect(tokensOf('/x/img/blog/img/blog/img/')).toEqual(wound)
    expect(tokensOf('/x/blog/blog/img/blog/ajax/img/')).toEqual(wound)
  })

  it.each(['a1/', '1', 'a1-', ';=', '&1', '?&=', '#-', '%00'])(
    'is limited, and takes time linear in the size of "%s"',
    async (piece) => {
      const read = (size: number) => {
        const { tokens } = pathPattern(`http://a.test/${piece.repeat(size / piece.length)}`)
        expect(tokens.join('').length).toBeLessThan(8_000)
      }
      expect(await growth(read, 8_000)).toBeLessThan(SLACK)
    },
  )
})
