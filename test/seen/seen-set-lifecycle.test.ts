import { describe, expect, it, onTestFinished } from 'vitest'
import { CrawlerError } from '../../src/errors.ts'
import { SEEN_SET_NAMES } from '../../src/seen/seen-set.ts'
import {
  allocateSeenSet,
  discardSeenSet,
  forgettingOf,
  growsAsNeeded,
  openSeenSet,
  planSeenSet,
} from '../../src/seen/seen-set-lifecycle.ts'
import { numbered, within } from './measured-rate.ts'

/** Returns twenty characters that sort in another order than the numbers they are made from. */
function inNoOrder(index: number): string {
  return String(Math.imul(index, 0x9e3779b1) >>> 0).padStart(20, '0')
}

describe('allocateSeenSet', () => {
  it('uses a separate hash key for each crawl, unless one is given', () => {
    const options = { name: 'bloom', expectedUrls: 10, falsePositiveRate: 0.01 } as const
    expect(allocateSeenSet(options).key).not.toEqual(allocateSeenSet(options).key)
    expect(allocateSeenSet({ ...options, key: [1, 2] }).key).toEqual([1, 2])
  })

  it.each(SEEN_SET_NAMES)('refuses an impossible size of %s as a usage error', (name) => {
    const options = { name, expectedUrls: 1e14, falsePositiveRate: 0.01 }
    expect(() => allocateSeenSet(options)).toThrow(CrawlerError)
    expect(() => allocateSeenSet(options)).toThrow(
      expect.objectContaining({ kind: 'usage', message: expect.stringMatching(/at most|grow/) }),
    )
  })
})

it.each(SEEN_SET_NAMES)('it is known whether %s supports removal', (name) => {
  const memory = allocateSeenSet({ name, expectedUrls: 10, falsePositiveRate: 0.01 })
  onTestFinished(() => discardSeenSet(memory))
  const canForget = openSeenSet(memory, 0).forget !== undefined
  expect(forgettingOf(name) === 'on request').toBe(canForget)
})

describe('planSeenSet', () => {
  it.each(['bloom', 'bloom-counting', 'bloom-aging'] as const)(
    'plans the memory of %s within 5 %, and its expected losses',
    async (name) => {
      const options = { name, expectedUrls: 30_000, falsePositiveRate: 0.01 }
      const seen = openSeenSet(allocateSeenSet(options), 0)
      await seen.addIfNew(numbered('in', 0, 30_000))
      const plan = planSeenSet(options, 30_000)
      const { bytes, expectedLost } = seen.stats()
      expect(within(plan.bytes / bytes, 0.05)).toBe(true)
      expect(within(plan.expectedLost / expectedLost, 0.1)).toBe(true)
    },
  )

  it.each(SEEN_SET_NAMES)('plans the memory and the disk space of %s within 5 %', async (name) => {
    const urls = numbered('in', 0, 33_000).map(
      (url, index) => inNoOrder(index) + url.padEnd(80, '_'),
    )
    const expectedUrls = growsAsNeeded(name) ? 10_000 : urls.length
    const options = { name, expectedUrls, falsePositiveRate: 0.01 }
    const memory = allocateSeenSet(options)
    onTestFinished(() => discardSeenSet(memory))
    const seen = openSeenSet(memory, 0)
    await seen.addIfNew(urls)
    // hybrid first moves what it has in memory to the disk.
    seen.forget?.([])
    const [plan, stats] = [planSeenSet(options, urls.length), seen.stats()]
    expect(within(plan.bytes / stats.bytes, 0.05)).toBe(true)
    const onDisk = name === 'sqlite' || name === 'hybrid'
    expect('diskBytes' in stats).toBe(onDisk)
    if (onDisk) expect(within((plan.diskBytes ?? 0) / (stats.diskBytes ?? 0), 0.05)).toBe(true)
  })

  it("refuses a set that exceeds the machine's memory, with both sizes", () => {
    const options = { name: 'bloom', expectedUrls: 1e8, falsePositiveRate: 0.001 } as const
    expect(planSeenSet(options, 1e8, 2 ** 30)).not.toHaveProperty('refusal')
    expect(planSeenSet(options, 1e8, 2 ** 27).refusal).toMatch(
      /^100,000,000 URLs take 0\.17\d GiB of memory with --seen bloom, and this machine has 0\.125 GiB\.$/,
    )
  })
})
