import { describe, expect, it } from 'vitest'
import { Audit, allocateAudit } from '../../src/seen/audit.ts'

const options = { name: 'bloom', expectedUrls: 4_096, falsePositiveRate: 0.1 } as const

describe('an audit', () => {
  it('estimates the share of lost URLs from a sample that shrinks as the crawl grows', () => {
    const audit = new Audit(allocateAudit(options))
    let state = 1
    const word = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
      return state ^ (state >>> 15)
    }
    for (let url = 0; url < 200_000; url++) {
      const [first, second] = [word(), word()]
      if (audit.isSampled(second)) audit.record(first, second, url % 10 !== 0)
    }
    const { share, sampled, lostShare } = audit.stats()
    expect(share).toBe(1 / 32)
    expect(sampled).toBeGreaterThan(5 * 4_096)
    expect(sampled).toBeLessThan(6 * 4_096)
    expect(Math.abs(lostShare - 0.1)).toBeLessThan(0.01)
  })

  it('counts a URL once, by its first result', () => {
    const memory = allocateAudit(options)
    const [one, other] = [new Audit(memory), new Audit(memory)]
    one.record(1, 2, false)
    other.record(1, 2, true)
    other.record(3, 4, true)
    expect(one.stats()).toEqual({ share: 1, sampled: 2, mistakes: 1, lostShare: 0.5 })
    expect([other.has(1, 2), one.has(3, 4), one.has(5, 6)]).toEqual([true, true, false])
  })

  it('begins with a part of the URLs if more are expected than its first level has room for', () => {
    const audit = new Audit(allocateAudit({ ...options, expectedUrls: 16 * 4_096 }))
    const words = Array.from({ length: 64 }, (_, word) => word)
    expect(words.filter((word) => audit.isSampled(word))).toEqual([0, 16, 32, 48])
    expect(audit.stats().share).toBe(1 / 16)
  })
})
