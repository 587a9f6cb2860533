import { describe, expect, it } from 'vitest'
import { slicePlan } from '../../../src/seen/bloom/slice-plan.ts'
import { allocateSeenSet, openSeenSet, planSeenSet } from '../../../src/seen/seen-set-lifecycle.ts'
import { describeSeenSet } from '../contract.ts'
import { measuredRate, numbered, within } from '../measured-rate.ts'

describeSeenSet('bloom-growing')

const options = { name: 'bloom-growing', expectedUrls: 10_000, key: [1, 2] } as const

it('a growing set stays below its error rate with 20 times as many URLs, and estimates it well', async () => {
  const falsePositiveRate = 0.01
  const urls = 200_000
  const seen = openSeenSet(allocateSeenSet({ ...options, falsePositiveRate }), 0)
  let lost = 0
  for (let start = 0; start < urls; start += 10_000) {
    const fresh = await seen.addIfNew(numbered('in', start, 10_000))
    lost += fresh.filter((isNew) => !isNew).length
    expect(seen.stats().falsePositiveRate).toBeLessThan(falsePositiveRate)
  }
  const stats = seen.stats()
  const rate = await measuredRate(seen, 100_000)
  expect(rate).toBeLessThan(falsePositiveRate)
  expect(within(rate / stats.falsePositiveRate, 0.1)).toBe(true)
  expect(within(lost / stats.expectedLost, 0.1)).toBe(true)
  expect(within((stats.audit?.lostShare ?? 0) / (lost / urls), 0.25)).toBe(true)
  expect(await seen.has(numbered('in', 0, 20_000))).not.toContain(false)
  const plan = planSeenSet({ ...options, falsePositiveRate }, urls)
  expect(within(plan.bytes / stats.bytes, 0.05)).toBe(true)
  expect(within(plan.expectedLost / stats.expectedLost, 0.1)).toBe(true)
})

it('a slice that one handle adds to a growing set is used by another handle', async () => {
  const memory = allocateSeenSet({ ...options, falsePositiveRate: 0.001 })
  const [one, other] = [openSeenSet(memory, 1), openSeenSet(memory, 2)]
  await other.addIfNew(['http://a/'])
  const urls = numbered('in', 0, 40_000)
  await one.addIfNew(urls)
  expect(await other.addIfNew(urls)).not.toContain(true)
  expect(other.stats()).toEqual(one.stats())
})

it('a growing set fills up and reports that if no more memory is available', async () => {
  const memory = allocateSeenSet({ ...options, falsePositiveRate: 0.001 })
  if (memory.name !== 'bloom-growing') throw new TypeError(memory.name)
  const { slices } = memory
  const fixed = new SharedArrayBuffer(slices.byteLength)
  new Uint8Array(fixed).set(new Uint8Array(slices))
  const seen = openSeenSet({ ...memory, slices: fixed }, 0)
  const urls = numbered('in', 0, 40_000)
  await seen.addIfNew(urls)
  expect(await seen.has(urls)).not.toContain(false)
  expect(seen.stats().falsePositiveRate).toBeGreaterThan(0.001)
})

describe('the slices', () => {
  it('have rates that add up to the requested one, and capacities that double', () => {
    let sum = 0
    for (let slice = 0; slice < 40; slice++) {
      const { capacity, size } = slicePlan(10_000, 0.001, slice)
      const rate = (1 - Math.exp((-size.hashes * capacity) / size.bits)) ** size.hashes
      sum += rate
      if (slice < 14) expect(capacity).toBe(10_000 * 2 ** slice)
      expect(size.bits).toBeLessThan(2 ** 32)
    }
    expect(sum).toBeGreaterThan(0.00099)
    expect(sum).toBeLessThan(0.001)
  })

  it('take at most 1.9 times the bits of an ideal filter for 100 million URLs', () => {
    const falsePositiveRate = 0.001
    const grown = planSeenSet({ ...options, expectedUrls: 1e6, falsePositiveRate }, 1e8)
    const ideal = (1e8 * Math.log(1 / falsePositiveRate)) / Math.LN2 ** 2 / 8
    expect(grown.bytes / ideal).toBeLessThan(1.9)
  })
})
