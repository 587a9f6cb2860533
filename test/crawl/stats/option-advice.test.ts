import { describe, expect, it } from 'vitest'
import { adviceOn } from '../../../src/crawl/stats/option-advice.ts'

const nothing = {
  cutBodies: 0,
  errors: {},
  reason: 'finished',
  seedsAnswered: 1,
  severalMatches: {},
  visits: 1,
} as const
const patterns = {
  unmatchedPatterns: {
    include: ['a'],
    exclude: ['b', '^/c'],
    includePath: ['/d'],
    excludePath: ['/e'],
  },
}

describe('the advice on options', () => {
  it('is empty if all options had their effect', () => {
    expect(adviceOn(nothing)).toEqual([])
    expect(adviceOn(nothing, 'news')).toEqual([])
  })

  it('lists patterns that matched nothing, unless the crawl ended early', () => {
    expect(adviceOn({ ...nothing, ...patterns })).toEqual([
      expect.stringMatching(
        /^--include a matched no URL.+; pages that lead to such URLs must match, too$/,
      ),
      expect.stringMatching(/^--exclude b matched no URL.+page$/),
      expect.stringMatching(/^--exclude \^\/c matched no URL.+; --exclude-path takes paths$/),
      expect.stringMatching(
        /^--include-path \/d matched no URL.+; pages that lead to such URLs must match, too$/,
      ),
      expect.stringMatching(/^--exclude-path \/e matched no URL.+page$/),
    ])
    expect(adviceOn({ ...nothing, ...patterns, reason: 'stopped' })).toEqual([])
    expect(adviceOn({ ...nothing, ...patterns, seedsAnswered: 0 })).toEqual([])
  })

  it('reports how many URLs were refused as private, and how to fetch them', () => {
    const refused = (count: number) =>
      adviceOn({ ...nothing, errors: { 'private-address': count } })
    expect(refused(2)).toEqual([
      '2 URLs were not fetched, since they are at private addresses: --allow-private fetches them',
    ])
    expect(refused(1)).toEqual([expect.stringMatching(/^1 URL was not fetched, since it is at /)])
  })

  it('reports how many bodies were truncated', () => {
    expect(adviceOn({ ...nothing, cutBodies: 1 })).toEqual([
      '1 body was longer than --max-body, so it was cut: a larger size takes it whole',
    ])
    expect(adviceOn({ ...nothing, cutBodies: 1_200 })).toEqual([
      expect.stringMatching(/^1,200 bodies were longer .+ they were cut: .+ them whole$/),
    ])
  })

  it('explains why a process of a job fetched nothing', () => {
    const idle = { ...nothing, visits: 0, seedsAnswered: 0 }
    expect(adviceOn(idle, 'news')).toEqual([
      expect.stringMatching(/^This process fetched nothing: .+ job news /),
    ])
    expect(adviceOn(idle)).toEqual([])
  })
})
