import { describe, expect, it } from 'vitest'
import { levelOf } from '../../src/records/crawl-url.ts'

describe('levelOf', () => {
  it('orders by depth, then by hops at the same depth', () => {
    const places = [
      { depth: 0, sameDepthHops: 0 },
      { depth: 0, sameDepthHops: 1 },
      { depth: 0, sameDepthHops: 1_000 },
      { depth: 1, sameDepthHops: 0 },
      { depth: 1, sameDepthHops: 1_000 },
      { depth: 1_000_000, sameDepthHops: 0 },
    ]
    const levels = places.map(levelOf)
    expect(levels.toSorted((a, b) => a - b)).toEqual(levels)
    expect(new Set(levels).size).toBe(levels.length)
  })

  it('never confuses two depths, for any number of hops', () => {
    const far = { depth: 1, sameDepthHops: 1_000_000 }
    expect(levelOf(far)).toBeLessThan(levelOf({ depth: 2, sameDepthHops: 0 }))
  })
})
