import { describe, expect, it } from 'vitest'
import { SharedRate } from '../../src/throttle/shared-rate.ts'
import { seededRandom } from '../support/random.ts'

function rateOf(perSecond: number, isShared = false): SharedRate {
  return new SharedRate(SharedRate.allocate(perSecond, 2, isShared), 1)
}

/**
 * Returns the times at which permits were taken within a time, by a thread that always waits for the next one.
 * @param look returns the milliseconds until it checks again, for those that it was told to wait
 */
function takenIn(rate: SharedRate, ms: number, look: (wait: number) => number): number[] {
  const times: number[] = []
  let since = 0
  for (let now = 0; now < ms; ) {
    const retryAt = rate.take(now, since)
    if (retryAt !== undefined) now += look(retryAt - now)
    else {
      times.push(now)
      since = now
    }
  }
  return times
}

/** Returns the number of times in the fullest window of this length. */
function fullest(times: readonly number[], windowMs: number): number {
  let [most, end] = [0, 0]
  for (const [first, at] of times.entries()) {
    while ((times[end] ?? Number.POSITIVE_INFINITY) < at + windowMs) end++
    most = Math.max(most, end - first)
  }
  return most
}

describe('a rate', () => {
  it.each([0.5, 5, 30, 100, 1_000])(
    'grants %d permits a second, at even intervals',
    (perSecond) => {
      const times = takenIn(rateOf(perSecond), 60_000, (wait) => Math.ceil(wait))
      expect(Math.abs(times.length / (60 * perSecond) - 1)).toBeLessThan(0.04)
      expect(fullest(times, 100)).toBeLessThanOrEqual(Math.floor(perSecond / 10) + 1)
    },
  )

  it.each([9, 9.9, 19.5, 29])('grants no fewer than %d permits a second', (perSecond) => {
    const times = takenIn(rateOf(perSecond), 60_000, (wait) => wait)
    expect(times.length).toBeGreaterThanOrEqual(60 * perSecond - 1)
    expect(fullest(times, 100)).toBeLessThanOrEqual(Math.floor(perSecond / 10) + 1)
  })

  it.each([20, 50, 200])('makes up for stalls at %d a second, but not in a burst', (perSecond) => {
    const random = seededRandom(perSecond)
    const stall = () => (random() < 0.4 / perSecond ? 50 * random() : 0)
    const times = takenIn(rateOf(perSecond), 60_000, (wait) => Math.ceil(wait) + stall())
    expect(Math.abs(times.length / (60 * perSecond) - 1)).toBeLessThan(0.03)
    expect(fullest(times, 100)).toBeLessThanOrEqual(perSecond / 10 + 1)
  })

  it('saves no permits while none is requested', () => {
    const rate = rateOf(10)
    expect(rate.take(0, 0)).toBeUndefined()
    expect(rate.take(60_000, 60_000)).toBeUndefined()
    expect(rate.take(60_001, 60_001)).toBeGreaterThan(60_099)
  })

  it('is shared by all threads', () => {
    const first = rateOf(10)
    const second = new SharedRate(first.memory, 2)
    expect(first.take(0, 0)).toBeUndefined()
    expect(second.take(50, 0)).toBeGreaterThanOrEqual(100)
    expect(second.take(113, 0)).toBeUndefined()
    expect(first.take(150, 0)).toBeGreaterThanOrEqual(200)
    expect(first.taken).toBe(2)
  })

  it('continues if a thread died with the lock, and forgets its waiting permits', () => {
    const rate = rateOf(10)
    const dead = new SharedRate(rate.memory, 7)
    dead.setWaiting(3)
    rate.setWaiting(2)
    expect(rate.waiting).toBe(5)
    new Int32Array(rate.memory.words)[0] = 7
    expect(rate.take(0, 0)).toBe(1)
    rate.release(7)
    expect(rate.take(1, 0)).toBeUndefined()
    expect(rate.waiting).toBe(2)
  })
})

describe('a rate shared by processes', () => {
  it('grants the reserved permits, each at its time', () => {
    const rate = rateOf(10, true)
    expect(rate.take(0, 0)).toBeGreaterThan(0)
    rate.reserve(50, 3)
    expect(rate.reserved).toBe(3)
    expect(takenIn(rate, 1_000, (wait) => Math.ceil(wait))).toEqual([50, 150, 250])
    expect(rate.reserved).toBe(0)
  })

  it('drops permits that were not used in time', () => {
    const rate = rateOf(10, true)
    rate.reserve(0, 20)
    expect(rate.take(1_000, 1_000)).toBeUndefined()
    expect(rate.reserved).toBe(9)
  })

  it.each([30, 50, 100])('has no bursts at %d a second if one process stalls', (perSecond) => {
    const rates = Array.from({ length: 3 }, () => rateOf(perSecond, true))
    const waits = rates.map(() => 0)
    const random = seededRandom(perSecond)
    const times: number[] = []
    for (let slot = 0, now = 0; now < 20_000; now++) {
      // Slices of the permits, as Redis grants them.
      for (; (slot * 1_000) / perSecond < now + 300; slot += 2)
        rates[Math.floor(3 * random())]?.reserve((slot * 1_000) / perSecond, 2)
      for (const [at, rate] of rates.entries()) {
        if (now < (waits[at] ?? 0)) continue
        if (rate.take(now, 0) === undefined) times.push(now)
        if (random() < 0.0005) waits[at] = now + 80 * random()
      }
    }
    expect(fullest(times, 100)).toBeLessThanOrEqual(perSecond / 10 + 1)
    expect(times.length / (20 * perSecond)).toBeGreaterThan(0.97)
  })

  it('keeps a limited number of permits, and reuses their memory', () => {
    const rate = rateOf(10_000, true)
    for (const from of [0, 10_000, 20_000]) {
      rate.reserve(from, 5_000)
      expect(rate.reserved).toBe(4_095)
      expect(rate.take(from + 9_000, 0)).toBeGreaterThan(from + 9_000)
      expect(rate.reserved).toBe(0)
    }
  })

  it('counts the permits that threads wait for, even after many threads have ended', () => {
    const { memory } = rateOf(10, true)
    for (let owner = 1; owner <= 100; owner++) {
      const rate = new SharedRate(memory, owner)
      rate.setWaiting(1)
      rate.setWaiting(0)
    }
    const [last, main] = [new SharedRate(memory, 101), new SharedRate(memory, 0)]
    last.setWaiting(5)
    expect(main.waiting).toBe(5)
    last.setWaiting(0)
    expect(main.waiting).toBe(0)
  })
})
