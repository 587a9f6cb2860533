import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { OverloadWatch } from '../../../src/crawl/worker-pool/overload-watch.ts'

/** A worker with so many requests, busy for this share of its time, that gets a request per ms. */
const worker = (load: number, busy: number, isReady = true) => ({
  isReady,
  load,
  get taken() {
    return Math.round(performance.now())
  },
  takeBusyShare: () => busy,
})

const LONG = { unfinished: 1_000_000 }
const SHORT = { unfinished: 100 }

/** The CPU time of this process, and the time for which processors are idle, per second that passes. */
let seconds = { cpu: 1, idle: 0 }

beforeEach(() => {
  vi.useFakeTimers()
  seconds = { cpu: 1, idle: 0 }
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => {
    return { user: 1_000 * performance.now() * seconds.cpu, system: 0 }
  })
  const cpu = () => ({
    ...{ model: '', speed: 0 },
    times: { user: 0, nice: 0, sys: 0, irq: 0, idle: (performance.now() * seconds.idle) / 2 },
  })
  vi.spyOn(os, 'cpus').mockImplementation(() => [cpu(), cpu()])
  syncBuiltinESMExports()
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

/** Returns how often a further worker is asked for in a time, where each has 16 requests at a time. */
function asked(workers: readonly ReturnType<typeof worker>[], queue = LONG, ms = 1_000): number {
  let calls = 0
  const watch = new OverloadWatch(workers, 16, queue, () => calls++)
  onTestFinished(() => watch.stop())
  vi.advanceTimersByTime(ms)
  return calls
}

it('asks for no worker while those that run can do more', () => {
  expect(asked([worker(4, 0.5)])).toBe(0)
  expect(asked([worker(4, 0.99), worker(1, 0.1)])).toBe(0)
})

it('asks for one worker when all are busy with several requests, and many URLs wait', () => {
  expect(asked([worker(2, 0.9), worker(3, 0.99)])).toBe(2)
})

it('asks for none for a queue that is soon done, unless it stays so for long', () => {
  expect(asked([worker(16, 0.9)], SHORT, 4_900)).toBe(0)
  expect(asked([worker(16, 0.9)], SHORT, 5_000)).toBe(1)
})

it('asks for one in spite of a short queue where a processor is free', () => {
  seconds = { cpu: 1, idle: 1.1 }
  expect(asked([worker(16, 0.9)], SHORT)).toBe(2)
  seconds = { cpu: 1, idle: 0.9 }
  expect(asked([worker(16, 0.9)], SHORT)).toBe(0)
})

it('asks for one when all have as many requests as they may, and wait for servers', () => {
  expect(asked([worker(16, 0.1), worker(16, 0.9)], SHORT)).toBe(10)
  expect(asked([worker(16, 0.1), worker(15, 0.9)], SHORT)).toBe(0)
  expect(asked([worker(16, 0.1, false)], SHORT)).toBe(0)
})

it('counts one that is full and busy for half of its time as busy', () => {
  expect(asked([worker(16, 0.6)])).toBe(2)
  expect(asked([worker(15, 0.6)])).toBe(0)
})

it('does not take a start, or one large page, for too much work', () => {
  expect(asked([worker(2, 0.99, false)])).toBe(0)
  expect(asked([worker(1, 0.99)])).toBe(0)
})

it('does not take a moment for too much work', () => {
  let looks = 0
  const sometimes = {
    ...worker(2, 0),
    taken: 0,
    takeBusyShare: () => (looks++ % 5 === 4 ? 0 : 1),
  }
  expect(asked([sometimes])).toBe(0)
})

it('asks no longer once it is stopped', () => {
  let calls = 0
  const watch = new OverloadWatch([worker(9, 1)], 16, LONG, () => calls++)
  watch.stop()
  vi.advanceTimersByTime(1_000)
  expect(calls).toBe(0)
})
