import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { OverloadWatch } from '../../../src/crawl/worker-pool/overload-watch.ts'

/** A worker with so many requests, busy for this share of its time. */
const worker = (load: number, busy: number, isReady = true) => ({
  isReady,
  load,
  takeBusyShare: () => busy,
})

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** Returns how often a further worker is asked for in a second. */
function asked(workers: readonly ReturnType<typeof worker>[]): number {
  let calls = 0
  const watch = new OverloadWatch(workers, () => calls++)
  onTestFinished(() => watch.stop())
  vi.advanceTimersByTime(1_000)
  return calls
}

it('asks for no worker while those that run can do more', () => {
  expect(asked([worker(4, 0.5)])).toBe(0)
  expect(asked([worker(4, 0.99), worker(1, 0.1)])).toBe(0)
})

it('asks for one worker when all are busy with several requests', () => {
  expect(asked([worker(2, 0.9), worker(3, 0.99)])).toBe(3)
})

it('does not take a start, or one large page, for too much work', () => {
  expect(asked([worker(2, 0.99, false)])).toBe(0)
  expect(asked([worker(1, 0.99)])).toBe(0)
})

it('does not take a moment for too much work', () => {
  let looks = 0
  const sometimes = { ...worker(2, 0), takeBusyShare: () => (looks++ % 3 === 2 ? 0 : 1) }
  expect(asked([sometimes])).toBe(0)
})

it('asks no longer once it is stopped', () => {
  let calls = 0
  const watch = new OverloadWatch([worker(9, 1)], () => calls++)
  watch.stop()
  vi.advanceTimersByTime(1_000)
  expect(calls).toBe(0)
})
