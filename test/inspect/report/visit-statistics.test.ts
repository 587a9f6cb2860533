import { writeFile } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { openVisitTable } from '../../../src/inspect/report/load-visits.ts'
import {
  durationCounts,
  readOverview,
  visitsOverTime,
} from '../../../src/inspect/report/visit-statistics.ts'
import { useFolder } from '../../support/state-run.ts'

const path = useFolder()

async function tableOf(visits: readonly object[]) {
  const lines = visits.map(
    (visit, at) => `${JSON.stringify({ url: `http://a/${at}`, ...visit })}\n`,
  )
  await writeFile(path('visits.jsonl'), lines.join(''))
  const database = await openVisitTable({ path: path('visits.jsonl'), isState: false })
  onTestFinished(() => database.close())
  return database
}

const at = (seconds: number) => new Date(Date.UTC(2026, 0) + seconds * 1_000).toISOString()

it('counts successes, redirects and broken visits, and each URL once', async () => {
  const database = await tableOf([
    ...[
      { status: 200, bytes: 5 },
      { status: 204 },
      { status: 304 },
      { status: 301, redirectsTo: 'x' },
    ],
    ...[{ status: 404 }, { error: 'timeout' }, { status: 200, error: { code: 'timeout' } }],
    ...[
      { url: 'http://b/', status: 500 },
      { url: 'http://b/', status: 200, bytes: 7 },
    ],
  ])
  const counts = { visits: 8, fine: 4, redirects: 1, broken: 3, hosts: 2, bytes: 12 }
  expect(readOverview(database)).toMatchObject({ ...counts, from: null, median: null })
})

it('does not count a page as broken on which a hook failed', async () => {
  const database = await tableOf([
    { status: 200, error: { code: 'hook-failed' } },
    { status: 200, error: { code: 'extraction-failed' } },
    { status: 404, error: { code: 'hook-failed' } },
  ])
  expect(readOverview(database)).toMatchObject({ visits: 3, fine: 0, broken: 1 })
})

it('computes percentiles by nearest rank', async () => {
  const database = await tableOf(Array.from({ length: 200 }, (_, at) => ({ ms: 200 - at })))
  expect(readOverview(database)).toMatchObject({ median: 100, p90: 180, p99: 198 })
  const counts = durationCounts(database).map(({ count }) => count)
  expect(counts).toEqual([9, 20, 70, 101, 0, 0, 0, 0])
})

it('divides time into intervals that are easy to read, the empty ones included', async () => {
  const seconds = [0, 0.4, 299, 300]
  const visits = seconds.map((second) => ({ time: at(second), status: second === 300 ? 500 : 200 }))
  const database = await tableOf([...visits, { time: 'some day' }])
  const { intervalMs, intervals } = visitsOverTime(database, readOverview(database))
  expect([intervalMs, intervals.length]).toEqual([5_000, 61])
  expect([intervals[0], intervals[1], intervals[59], intervals[60]]).toEqual([
    ...[
      { count: 2, broken: 0 },
      { count: 0, broken: 0 },
      { count: 1, broken: 0 },
    ],
    { count: 1, broken: 1 },
  ])
})

it('has one stretch for visits at one moment', async () => {
  const database = await tableOf([{ time: at(1) }, { time: at(1) }])
  expect(visitsOverTime(database, readOverview(database)).intervals).toEqual([
    { count: 2, broken: 0 },
  ])
})
