import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { OverloadWatch } from '../../../src/crawl/worker-pool/overload-watch.ts'

/** Requests in flight of each worker. */
const CONCURRENCY = 4
const OPTIONS = { concurrency: CONCURRENCY, isThrottled: false }

/** A worker with `load` requests that is busy for this share of its time. */
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

/** Returns how often a further worker is requested in a second. */
function countAdded(workers: readonly ReturnType<typeof worker>[], options = {}): number {
  let calls = 0
  const watch = new OverloadWatch(workers, { ...OPTIONS, ...options }, () => calls++)
  onTestFinished(() => watch.stop())
  vi.advanceTimersByTime(1_000)
  return calls
}

it('no worker is added while running ones have capacity left', () => {
  expect(countAdded([worker(4, 0.5)])).toBe(0)
  expect(countAdded([worker(4, 0.99), worker(1, 0.1)])).toBe(0)
})

it('a worker is added when all are busy with several requests', () => {
  expect(countAdded([worker(2, 0.9), worker(3, 0.99)])).toBe(3)
})

it("a starting worker, or one large page, doesn't count as overload", () => {
  expect(countAdded([worker(2, 0.99, false)])).toBe(0)
  expect(countAdded([worker(1, 0.99)])).toBe(0)
})

it("a short moment doesn't count as overload", () => {
  let looks = 0
  const sometimes = { ...worker(2, 0), takeBusyShare: () => (looks++ % 3 === 2 ? 0 : 1) }
  expect(countAdded([sometimes])).toBe(0)
})

it('a worker is added when requests wait in all workers, even if none is busy', () => {
  expect(countAdded([worker(5, 0.1), worker(5, 0.1)])).toBe(10)
  expect(countAdded([worker(5, 0.1), worker(4, 0.1)])).toBe(0)
  expect(countAdded([worker(5, 0.1), worker(5, 0.1, false)])).toBe(0)
})

it('no worker is added if requests only wait for --rate', () => {
  expect(countAdded([worker(5, 0.1)], { isThrottled: true })).toBe(0)
  expect(countAdded([worker(5, 0.9)], { isThrottled: true })).toBe(3)
})

it('the workers count as busy again when another worker starts', () => {
  const workers = [worker(4, 0.5)]
  const watch = new OverloadWatch(workers, OPTIONS, () => {})
  onTestFinished(() => watch.stop())
  vi.advanceTimersByTime(150)
  workers.push(worker(0, 0, false))
  expect(watch.isBusy).toBe(true)
})

it.each([
  ['nothing was measured yet', 50, worker(4, 0), true],
  ['a worker starts', 150, worker(4, 0, false), true],
  ['all were busy', 150, worker(4, 0.9), true],
  ['one of them has capacity left', 150, worker(3, 0.5), true],
  ['all requests wait for servers', 150, worker(4, 0.5), false],
] as const)(
  'the overload watch reports whether the workers may still do more when %s',
  (_, ms, each, isBusy) => {
    const watch = new OverloadWatch([each], OPTIONS, () => {})
    onTestFinished(() => watch.stop())
    vi.advanceTimersByTime(ms)
    expect(watch.isBusy).toBe(isBusy)
  },
)

it('no worker is added after the overload watch was stopped', () => {
  let calls = 0
  const watch = new OverloadWatch([worker(9, 1)], OPTIONS, () => calls++)
  watch.stop()
  vi.advanceTimersByTime(1_000)
  expect(calls).toBe(0)
})
