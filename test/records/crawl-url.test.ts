import { describe, expect, it } from 'vitest'
import { levelOf } from '../../src/records/crawl-url.ts'

describe('levelOf', () => {
  it('puts depth before sidesteps', () => {
    const places = [
      { depth: 0, sidesteps: 0 },
      { depth: 0, sidesteps: 1 },
      { depth: 0, sidesteps: 1_000 },
      { depth: 1, sidesteps: 0 },
      { depth: 1, sidesteps: 1_000 },
      { depth: 1_000_000, sidesteps: 0 },
    ]
    const levels = places.map(levelOf)
    expect(levels.toSorted((a, b) => a - b)).toEqual(levels)
    expect(new Set(levels).size).toBe(levels.length)
  })

  it('never mixes two depths, however many sidesteps there were', () => {
    const far = { depth: 1, sidesteps: 1_000_000 }
    expect(levelOf(far)).toBeLessThan(levelOf({ depth: 2, sidesteps: 0 }))
  })
})
