import { writeFile } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { openVisitTable } from '../../../src/inspect/report/load-visits.ts'
import {
  countsBy,
  durationCounts,
  OUTCOME,
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
  const database = await openVisitTable(path('visits.jsonl'))
  onTestFinished(() => database.close())
  return database
}

const at = (seconds: number) => new Date(Date.UTC(2026, 0) + seconds * 1_000).toISOString()

it('statistics count successes, unchanged pages, redirects and broken visits, and each URL once', async () => {
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
  const counts = { visits: 8, fine: 3, unchanged: 1, redirects: 1, broken: 3, hosts: 2, bytes: 12 }
  expect(readOverview(database)).toMatchObject({ ...counts, from: null, median: null })
})

it('statistics use the last known content of an unchanged URL', async () => {
  const [known, unchanged] = [
    { status: 200, title: 'Known', bytes: 10, links: 2, contentType: 'text/html', ms: 90 },
    { status: 304, bytes: 0, ms: 5 },
  ]
  const url = (name: string) => ({ url: `http://a/${name}` })
  const database = await tableOf([
    ...[known, { ...known, title: 'Newer', bytes: 20 }].map((visit) => ({ ...url('1'), ...visit })),
    { ...url('1'), status: 500, bytes: 1 },
    ...[unchanged, unchanged].map((visit) => ({ ...url('1'), ...visit })),
    { ...url('moved'), status: 301, redirectsTo: 'http://a/1' },
    ...[known, { status: 404, bytes: 3 }].map((visit) => ({ ...url('gone'), ...visit })),
    ...['moved', 'unknown'].map((name) => ({ ...url(name), ...unchanged })),
  ])
  const query = 'SELECT url, status, title, bytes, links, type, ms, target FROM visits ORDER BY url'
  const rows = database.prepare(query).all().map(Object.values)
  expect(rows).toEqual([
    ['http://a/1', 304, 'Newer', 20, 2, 'text/html', 5, null],
    ['http://a/gone', 404, null, 3, null, null, null, null],
    ['http://a/moved', 304, null, null, null, null, 5, 'http://a/1'],
    ['http://a/unknown', 304, null, 0, null, null, 5, null],
  ])
  const counts = { visits: 4, fine: 0, unchanged: 3, redirects: 0, broken: 1, bytes: 23 }
  expect(readOverview(database)).toMatchObject(counts)
})

it('statistics count a page on which a hook failed by its status', async () => {
  const database = await tableOf([
    { status: 200, error: { code: 'hook-failed' } },
    { status: 200, error: { code: 'extraction-failed' } },
    { status: 404, error: { code: 'hook-failed' } },
  ])
  expect(readOverview(database)).toMatchObject({ visits: 3, fine: 2, broken: 1 })
  expect(countsBy(database, OUTCOME)).toEqual([
    { label: 404, count: 1 },
    { label: 'extraction-failed', count: 1 },
    { label: 'hook-failed', count: 1 },
  ])
})

it('statistics compute percentiles by nearest rank', async () => {
  const database = await tableOf(Array.from({ length: 200 }, (_, at) => ({ ms: 200 - at })))
  expect(readOverview(database)).toMatchObject({ median: 100, p90: 180, p99: 198 })
  const counts = durationCounts(database).map(({ count }) => count)
  expect(counts).toEqual([9, 20, 70, 101, 0, 0, 0, 0])
})

it('statistics divide time into intervals of round length, empty ones included', async () => {
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

it('statistics have one interval for visits at the same moment', async () => {
  const database = await tableOf([{ time: at(1) }, { time: at(1) }])
  expect(visitsOverTime(database, readOverview(database)).intervals).toEqual([
    { count: 2, broken: 0 },
  ])
})
