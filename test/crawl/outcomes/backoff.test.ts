import { describe, expect, it } from 'vitest'
import { backoff } from '../../../src/crawl/outcomes/backoff.ts'
import { seededRandom } from '../../support/random.ts'

describe('the pause before another attempt', () => {
  it('has a maximum that doubles with each attempt, up to a minute', () => {
    const longest = [1, 2, 3, 6, 7, 8, 101].map((attempt) => backoff(attempt, () => 1))
    expect(longest).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000])
  })

  it('is evenly distributed up to that maximum', () => {
    const random = seededRandom(1)
    const pauses = Array.from({ length: 1_000 }, () => backoff(2, random))
    expect(Math.min(...pauses)).toBeLessThan(50)
    expect(Math.max(...pauses)).toBeGreaterThan(1_950)
    const mean = pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length
    expect(Math.abs(mean - 1_000)).toBeLessThan(60)
  })
})
