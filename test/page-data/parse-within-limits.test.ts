import { afterEach, expect, it, vi } from 'vitest'
import { parseWithinLimits } from '../../src/page-data/parse-within-limits.ts'

afterEach(() => vi.restoreAllMocks())

/** Makes the clock of the thread's CPU time show this share of the wall clock. */
function giveShareOfCore(share: number): void {
  const start = performance.now()
  vi.spyOn(process, 'threadCpuUsage').mockImplementation(() => ({
    user: share * 1_000 * (performance.now() - start),
    system: 0,
  }))
}

/** Returns work whose first run never ends, and the number of its runs. */
function slowAtFirst() {
  const work = { runs: 0, parse: () => work.runs++ === 0 && loopForever() }
  return work
}

function loopForever(): never {
  for (;;) {}
}

it('parses a page again, with a longer limit, if the thread got little CPU time', () => {
  giveShareOfCore(0.1)
  const { parse } = slowAtFirst()
  expect(parseWithinLimits(20, parse)).toBe(false)
})

it('gives up a page that had the CPU time, and one that is too slow twice', () => {
  giveShareOfCore(1)
  const work = slowAtFirst()
  expect(() => parseWithinLimits(20, work.parse)).toThrow('took longer than 0.02 s')
  expect(work.runs).toBe(1)
  giveShareOfCore(0.1)
  expect(() => parseWithinLimits(20, loopForever)).toThrow('took longer than 0.08 s')
})
