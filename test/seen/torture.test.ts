import { expect, it } from 'vitest'
import { planSeenSet } from '../../src/seen/seen-set-lifecycle.ts'
import { chosen } from '../support/soak.ts'
import { torture } from './torture.ts'

// The contract of a seen set tests this with sets that neither grow nor overflow meanwhile.
const GROWING = ['bloom-growing', 'digest'] as const

it.each(chosen(GROWING, (name) => name === 'digest'))(
  'a %s set that grows reports each URL as new to exactly one of 4 threads',
  async (name) => {
    const expectedUrls = 2000
    const { claimedTwice, lost, stats, urls } = await torture({
      ...{ name, threads: 4, urls: 35_000, window: 16, expectedUrls },
    })
    expect(claimedTwice).toBe(0)
    expect(stats.added).toBe(urls - lost)
    expect(lost).toBeLessThanOrEqual(name === 'digest' ? 0 : urls / 1000)
    const options = { name, expectedUrls, falsePositiveRate: 0.001 }
    const small = planSeenSet(options, expectedUrls).bytes
    expect(stats.bytes / planSeenSet(options, urls).bytes).toBeCloseTo(1, 1)
    expect(stats.bytes).toBeGreaterThan(small + 100_000)
  },
)

it('a hybrid set with a much too small filter reports each URL as new to exactly one of 4 threads', async () => {
  const { claimedTwice, lost, stats } = await torture({
    ...{ name: 'hybrid', threads: 4, urls: 10_000, window: 16, expectedUrls: 200 },
  })
  expect({ claimedTwice, lost }).toEqual({ claimedTwice: 0, lost: 0 })
  expect(stats.fill).toBeGreaterThan(0.999)
})
