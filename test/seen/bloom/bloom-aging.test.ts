import { expect, it } from 'vitest'
import { AgingBloomFilter, allocateAging } from '../../../src/seen/bloom/bloom-aging.ts'
import { FilterSeenSet } from '../../../src/seen/bloom/filter-seen-set.ts'
import { describeSeenSet } from '../contract.ts'
import { measuredRate, numbered, within } from '../measured-rate.ts'

describeSeenSet('bloom-aging')

/** Opens a set that forgets after 1000 ms of a simulated clock. */
function open(expectedUrls = 10_000, falsePositiveRate = 1e-6) {
  const clock = { now: 5_000 }
  const now = () => clock.now
  const options = {
    name: 'bloom-aging',
    expectedUrls,
    falsePositiveRate,
    forgetAfter: 1000,
  } as const
  const memory = allocateAging(options, [1, 2], now)
  const handle = (owner: number) =>
    new FilterSeenSet(memory, new AgingBloomFilter(memory, owner, now), owner)
  return { clock, memory, handle, seen: handle(0) }
}

it.each([0, 1, 250, 499, 500, 999])(
  'an aging set forgets URLs after 1 to 1.5 times the time (added at %i ms)',
  (metAt) => {
    const { clock, seen } = open()
    for (let ms = 0; ms < metAt; ms += 10) {
      clock.now = 5_000 + ms
      seen.addIfNew([`http://other/${ms}`])
    }
    clock.now = 5_000 + metAt
    seen.addIfNew(['http://a/'])
    for (let age = 0; age < 1_000; age += 10) {
      clock.now = 5_000 + metAt + age
      expect(seen.has(['http://a/'])).toEqual([true])
    }
    clock.now = 5_000 + metAt + 1_500
    expect(seen.addIfNew(['http://a/', 'http://a/'])).toEqual([true, false])
  },
)

it('an aging set keeps a URL for as long as it is added again', () => {
  const { clock, handle, seen } = open()
  seen.addIfNew(['http://a/', 'http://b/'])
  for (let turn = 0; turn < 20; turn++) {
    clock.now += 900
    expect(handle(turn + 1).addIfNew(['http://a/'])).toEqual([false])
  }
  expect(seen.has(['http://a/', 'http://b/'])).toEqual([true, false])
})

it("an aging set doesn't keep a URL because of a lookup", () => {
  const { clock, seen } = open()
  seen.addIfNew(['http://a/'])
  for (let ms = 0; ms < 1_500; ms += 100) {
    seen.has(['http://a/'])
    clock.now += 100
  }
  expect(seen.has(['http://a/'])).toEqual([false])
})

it('an aging set forgets everything after a long silence, and is empty again', () => {
  const { clock, seen } = open()
  seen.addIfNew(numbered('in', 0, 1000))
  clock.now += 1e12
  expect(seen.has(numbered('in', 0, 1000))).not.toContain(true)
  expect(seen.stats().fill).toBe(0)
})

it('an aging set keeps its memory and its error rate, however long it runs', async () => {
  const { clock, seen } = open(2_000, 0.01)
  const { bytes } = seen.stats()
  for (let turn = 0; turn < 30; turn++) {
    seen.addIfNew(numbered('in', turn * 2_000, 2_000))
    clock.now += 500
  }
  clock.now -= 1
  expect(within((await measuredRate(seen, 100_000)) / 0.01, 0.1)).toBe(true)
  expect(seen.stats().bytes).toBe(bytes)
})

it('an aging set continues if the thread that started a generation died in the middle', () => {
  const { clock, memory, seen } = open()
  seen.addIfNew(['http://a/'])
  const lock = new Int32Array(memory.clock.locks)
  lock[0] = 7 + 1
  clock.now += 600
  seen.release(6)
  expect(lock[0]).toBe(8)
  seen.release(7)
  expect(seen.addIfNew(['http://a/', 'http://b/'])).toEqual([false, true])
})
