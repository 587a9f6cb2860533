import { expect, it } from 'vitest'
import {
  allocateCounting,
  CountingBloomFilter,
  CountingSeenSet,
} from '../../../src/seen/bloom/bloom-counting.ts'
import { describeSeenSet } from '../contract.ts'
import { measuredRate, numbered, within } from '../measured-rate.ts'

describeSeenSet('bloom-counting')

function open(expectedUrls: number, falsePositiveRate: number): CountingSeenSet {
  const options = { name: 'bloom-counting', expectedUrls, falsePositiveRate } as const
  const memory = allocateCounting(options, [1, 2])
  return new CountingSeenSet(memory, new CountingBloomFilter(memory), 0)
}

it('a counting set has the requested error rate when it is full, within 10 %', async () => {
  const seen = open(20_000, 0.01)
  seen.addIfNew(numbered('in', 0, 20_000))
  expect(within((await measuredRate(seen, 100_000)) / 0.01, 0.1)).toBe(true)
})

it('a counting set forgets only the given URLs, and reports them as new again', () => {
  const seen = open(20_000, 1e-6)
  const [kept, gone] = [numbered('kept', 0, 10_000), numbered('gone', 0, 10_000)]
  seen.addIfNew(kept)
  const before = seen.stats().fill
  seen.addIfNew(gone)
  expect(seen.forget(gone)).not.toContain(false)
  expect(seen.stats().fill).toBe(before)
  expect(seen.has(gone)).not.toContain(true)
  expect(seen.has(kept)).not.toContain(false)
  expect(seen.forget(gone)).not.toContain(true)
  expect(seen.addIfNew(gone)).not.toContain(false)
  expect(seen.addIfNew([...kept, ...gone])).not.toContain(true)
})

it('a counting set is empty again after it has forgotten all URLs', () => {
  const seen = open(5_000, 1e-9)
  const urls = numbered('in', 0, 5_000)
  seen.addIfNew(urls)
  seen.forget(urls)
  expect(seen.stats()).toMatchObject({ fill: 0, falsePositiveRate: 0 })
})

it('a counting set keeps other URLs if its counters overflow, whatever it forgets', () => {
  const seen = open(1, 0.5)
  const urls = numbered('in', 0, 60_000)
  const fresh = seen.addIfNew(urls)
  const [kept, gone] = [urls.slice(0, 1_000), urls.filter((_, at) => at >= 1_000 && fresh[at])]
  seen.forget(gone)
  expect(seen.has(kept)).not.toContain(false)
})
