import { expect, it } from 'vitest'
import { countHttpErrors } from '../../../src/crawl/stats/failure-counts.ts'
import { readTotals } from '../../../src/crawl/stats/read-stats.ts'
import { RunningTotals } from '../../../src/crawl/stats/running-totals.ts'
import { Counters } from '../../../src/messages/counters.ts'
import type { Outcome } from '../../../src/messages/outcome.ts'

const OUTCOMES: readonly Outcome[] = [
  {
    ...{ type: 'visited', id: 1, fields: { status: 200 }, status: 200, bytes: 7, ms: 1 },
    ...{ discovered: [], nearer: [], sameDepth: [], skipped: [] },
  },
  { type: 'failed', id: 2, fields: { attempts: 1 }, error: 'timeout', message: '' },
  { type: 'postponed', id: 3, ms: 1 },
]

/** Returns the totals of a crawl whose only worker has skipped URLs because of their depth. */
function totalsOf(tally: RunningTotals, skippedForDepth = 0) {
  const counters = new Counters(Counters.allocate(1))
  counters.add(1, 'skip:depth', skippedForDepth)
  return readTotals({ memory: { counters }, skips: { counts: new Map() }, tally })
}

it('running totals count visits by status and error, and continue from saved ones', () => {
  const first = new RunningTotals()
  for (const outcome of OUTCOMES) first.count(outcome)
  const { saved } = first
  const second = new RunningTotals()
  second.restore({ ...saved, elapsedMs: 5_000 })
  for (const outcome of OUTCOMES) second.count(outcome)
  second.addPostponed()
  expect(second.counts).toMatchObject({
    ...{ visits: 4, failed: 2, bytes: 14, retries: 3 },
    ...{ statuses: { 200: 2 }, errors: { timeout: 2 } },
  })
  expect(second.elapsedMs).toBeGreaterThanOrEqual(5_000)
})

it("running totals don't count a request that follows in any case as a retry", () => {
  const tally = new RunningTotals()
  tally.count({ type: 'postponed', id: 3, ms: 1, status: 405, isPreliminary: true })
  expect(totalsOf(tally)).toMatchObject({ retries: 0, visits: 0 })
})

it('running totals count a cut body of a 404 as an HTTP error only', () => {
  const tally = new RunningTotals()
  const [page] = OUTCOMES
  if (page?.type !== 'visited') expect.unreachable()
  tally.count({ ...page, error: 'connection-reset' })
  tally.count({ ...page, status: 404, error: 'connection-reset' })
  const totals = totalsOf(tally)
  expect([totals.errors, totals.failed, countHttpErrors(totals)]).toEqual([
    ...[{ 'connection-reset': 2 }, 1, 1],
  ])
})

it('the maximum number of pages applies to each round', () => {
  const tally = new RunningTotals(3)
  for (const outcome of OUTCOMES) tally.count(outcome)
  expect(tally.pagesLeft).toBe(1)
  tally.beginRound(totalsOf(tally))
  expect([tally.pagesLeft, tally.round, tally.visits]).toEqual([3, 2, 2])
  expect(new RunningTotals().pagesLeft).toBe(Number.POSITIVE_INFINITY)
})

it('running totals return the part of the round and of the run, also after a stop in between', () => {
  const first = new RunningTotals()
  for (const outcome of OUTCOMES) first.count(outcome)
  expect(first.partOfRound(totalsOf(first))).toBe(undefined)
  expect(first.visitsOfRun).toBe(undefined)
  const second = new RunningTotals()
  second.restore({ ...first.saved, elapsedMs: 60_000 })
  second.beginRound(totalsOf(second, 3))
  second.count(OUTCOMES[0] ?? expect.unreachable())
  const third = new RunningTotals()
  third.restore(second.saved)
  third.addPostponed()
  third.count(OUTCOMES[1] ?? expect.unreachable())
  const { elapsedMs, ...round } = third.partOfRound(totalsOf(third, 5)) ?? expect.unreachable()
  expect(round).toEqual({
    ...{ number: 2, visits: 2, failed: 1, bytes: 7, retries: 1 },
    ...{ statuses: { 200: 1 }, errors: { timeout: 1 }, skipped: { depth: 2 } },
  })
  expect(elapsedMs).toBeLessThan(60_000)
  expect(third.visitsOfRun).toBe(1)
})
