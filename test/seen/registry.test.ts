import { describe, expect, it } from 'vitest'
import { CrawlerError } from '../../src/errors.ts'
import { allocateSeenSet, openSeenSet, planSeenSet, SEEN_NAMES } from '../../src/seen/registry.ts'
import { numbered, within } from './measured-rate.ts'

describe('allocateSeenSet', () => {
  it('gives each crawl a hash key of its own, unless one is passed', () => {
    const options = { name: 'bloom', expectedUrls: 10, falsePositiveRate: 0.01 } as const
    expect(allocateSeenSet(options).key).not.toEqual(allocateSeenSet(options).key)
    expect(allocateSeenSet({ ...options, key: [1, 2] }).key).toEqual([1, 2])
  })

  it.each(SEEN_NAMES)('refuses an impossible size of %s as a usage error', (name) => {
    const options = { name, expectedUrls: 1e14, falsePositiveRate: 0.01 }
    expect(() => allocateSeenSet(options)).toThrow(CrawlerError)
    expect(() => allocateSeenSet(options)).toThrow(
      expect.objectContaining({ kind: 'usage', message: expect.stringMatching(/at most|grow/) }),
    )
  })
})

describe('planSeenSet', () => {
  it.each(['bloom', 'bloom-counting', 'bloom-aging'] as const)(
    'tells the memory of %s within 5 %, and what it loses',
    async (name) => {
      const options = { name, expectedUrls: 100_000, falsePositiveRate: 0.01 }
      const seen = openSeenSet(allocateSeenSet(options), 0)
      await seen.addIfNew(numbered('in', 0, 100_000))
      const plan = planSeenSet(options, 100_000)
      const { bytes, expectedLost } = seen.stats()
      expect(within(plan.bytes / bytes, 0.05)).toBe(true)
      expect(within(plan.expectedLost / expectedLost, 0.1)).toBe(true)
    },
  )

  it('refuses what the machine cannot hold, and says what it has', () => {
    const options = { name: 'bloom', expectedUrls: 1e8, falsePositiveRate: 0.001 } as const
    expect(planSeenSet(options, 1e8, 2 ** 30)).not.toHaveProperty('refusal')
    expect(planSeenSet(options, 1e8, 2 ** 27).refusal).toMatch(
      /^100,000,000 URLs take 0\.17\d GiB of memory with --seen bloom, and this machine has 0\.125 GiB\.$/,
    )
  })
})
