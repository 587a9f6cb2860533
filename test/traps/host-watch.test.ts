import { describe, expect, it } from 'vitest'
import { HostWatch } from '../../src/traps/host-watch.ts'
import { PatternYield } from '../../src/traps/pattern-yield.ts'
import { QUICK_LIMITS } from './quick-limits.ts'

function newWatch(): HostWatch {
  return new HostWatch('a.test', { own: QUICK_LIMITS, below: QUICK_LIMITS })
}

/** Returns a pattern with a number of visits that brought nothing new. */
function patternAfter(visits: number): PatternYield {
  const pattern = new PatternYield('/x', QUICK_LIMITS)
  const dull = { weight: 1, depth: 1, length: 9, repeats: 0, hasNewContent: false, outside: 0 }
  for (let i = 0; i < visits; i++) {
    pattern.countDiscovered(true, 1)
    pattern.visited({ ...dull, discovered: 1, linkCount: 1 })
  }
  return pattern
}

describe('HostWatch', () => {
  it('samples pages with new content, and reads all others', () => {
    const watch = newWatch()
    const weights = Array.from({ length: 160 }, () => watch.nextWeight(true))
    expect(weights.reduce((sum, weight) => sum + weight)).toBe(160)
    expect(weights.filter((weight) => weight > 0)).toHaveLength(10)
    expect(Array.from({ length: 5 }, () => watch.nextWeight(false))).toEqual([1, 1, 1, 1, 1])
  })

  it('reads all pages for a while if a pattern is in doubt', () => {
    const watch = newWatch()
    watch.review([patternAfter(10), patternAfter(150)])
    const weights = Array.from({ length: 1_000 }, () => watch.nextWeight(true))
    expect(new Set(weights)).toEqual(new Set([1]))
    expect(Array.from({ length: 15 }, () => watch.nextWeight(true))).not.toContain(1)
  })

  it('remembers that a pattern was suspected', () => {
    const watch = newWatch()
    watch.review([patternAfter(150)])
    expect(watch.isSuspect).toBe(false)
    watch.review([patternAfter(500)])
    expect(watch.isSuspect).toBe(true)
    watch.review([patternAfter(1)])
    expect(watch.isSuspect).toBe(true)
  })
})
