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

/** Returns how many further workers are asked for in a second, each time that some are. */
function asked(workers: readonly ReturnType<typeof worker>[], concurrency = 4): number[] {
  const calls: number[] = []
  const watch = new OverloadWatch(workers, concurrency, (more) => calls.push(more))
  onTestFinished(() => watch.stop())
  vi.advanceTimersByTime(1_000)
  return calls
}

it('asks for no worker while those that run can do more', () => {
  expect(asked([worker(4, 0.5)])).toEqual([])
  expect(asked([worker(4, 0.99), worker(1, 0.1)])).toEqual([])
})

it('asks for as many workers as requests wait for, while they wait', () => {
  expect(asked([worker(5, 0.1)])).toEqual([1, 1, 1])
  expect(asked([worker(8, 0.1), worker(9, 0.1)])).toEqual([3, 3, 3])
})

it('asks for one worker when all are busy with several requests', () => {
  expect(asked([worker(2, 0.9), worker(3, 0.99)])).toEqual([1, 1, 1])
})

it('does not take a start, or one large page, for too much work', () => {
  expect(asked([worker(2, 0.99, false)])).toEqual([])
  expect(asked([worker(1, 0.99)])).toEqual([])
})

it('does not take a moment for too much work', () => {
  let looks = 0
  const sometimes = { ...worker(2, 0), takeBusyShare: () => (looks++ % 3 === 2 ? 0 : 1) }
  expect(asked([sometimes])).toEqual([])
})

it('asks no longer once it is stopped', () => {
  const calls: number[] = []
  const watch = new OverloadWatch([worker(9, 1)], 4, (more) => calls.push(more))
  watch.stop()
  vi.advanceTimersByTime(1_000)
  expect(calls).toEqual([])
})
