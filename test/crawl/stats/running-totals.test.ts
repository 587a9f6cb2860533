import { expect, it } from 'vitest'
import { PageBudget } from '../../../src/crawl/page-budget.ts'
import { RunningTotals } from '../../../src/crawl/stats/running-totals.ts'
import type { Outcome } from '../../../src/messages/messages.ts'

const OUTCOMES: readonly Outcome[] = [
  {
    ...{ type: 'visited', id: 1, fields: { status: 200 }, status: 200, bytes: 7, ms: 1 },
    ...{ discovered: [], nearer: [], sameDepth: [], skipped: [] },
  },
  { type: 'failed', id: 2, fields: { attempts: 1 }, error: 'timeout', message: '' },
  { type: 'postponed', id: 3, ms: 1 },
]

it('counts visits by status and error, and goes on from what was saved', () => {
  const first = new RunningTotals()
  for (const outcome of OUTCOMES) first.count(outcome)
  const { saved } = first
  const second = new RunningTotals()
  second.restore({ ...saved, elapsedMs: 5_000 })
  for (const outcome of OUTCOMES) second.count(outcome)
  second.addPostponed()
  expect(second).toMatchObject({ visits: 4, bytes: 14, postponed: 3, round: 1 })
  expect([...second.statuses, ...second.errors]).toEqual([
    [200, 2],
    ['timeout', 2],
  ])
  expect(second.elapsedMs).toBeGreaterThanOrEqual(5_000)
})

it('a budget of pages holds for each round', () => {
  const tally = new RunningTotals()
  const budget = new PageBudget(3, tally)
  for (const outcome of OUTCOMES) tally.count(outcome)
  expect(budget.left).toBe(1)
  tally.beginRound()
  expect([budget.left, tally.round, tally.visits]).toEqual([3, 2, 2])
  expect(new PageBudget(undefined, tally).left).toBe(Number.POSITIVE_INFINITY)
})
