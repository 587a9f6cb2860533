import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Visit } from '../../src/records/visit.ts'
import type { RawServer } from '../support/raw-server.ts'
import { type CrawlRun, runCrawl } from '../support/run-cli.ts'
import { expectation, gist } from './behaviour.ts'
import { BEHAVIOURS } from './behaviours.ts'
import { GOOD_PAGES, startHostileServer } from './hostile-server.ts'
import { TELLS_PEAK, watchPeak } from './peak-memory.ts'

const MAX_REDIRECTS = 5
/** Long enough for pages that respond, on a machine of two cores that also runs the servers. */
const TIMEOUT = '12s'
const FLAGS = [
  ...['--depth', '1', '--workers', '8', '--per-host', '64', '--scope', 'any', '--ignore-robots'],
  // If a connection is cut after its response, the next request on it may be lost and is retried.
  ...['--timeout', TIMEOUT, '--retries', '1', '--max-redirects', `${MAX_REDIRECTS}`],
]

describe('a crawl of a server that misbehaves in every way at once', () => {
  let server: RawServer
  let run: CrawlRun
  let records: Map<string, Visit[]>
  let peak = () => 0

  const recordsOf = (path: string) => records.get(`${server.url}/${path}`) ?? []

  beforeAll(async () => {
    server = await startHostileServer()
    run = await runCrawl([`${server.url}/`, ...FLAGS], {
      onStart: ({ pid }) => {
        peak = watchPeak(pid)
      },
    })
    records = Map.groupBy(run.visits, ({ url }) => url)
  })

  afterAll(() => server.close())

  it.each(BEHAVIOURS.map(expectation))(
    'writes one record with the right error code for %s',
    (path, expected, more) => {
      expect(recordsOf(path).map(gist)).toEqual([expected])
      expect(recordsOf(path)[0]).toMatchObject(more)
    },
  )

  it('ends by itself', () => {
    expect(run.code).toBe(0)
    expect(JSON.parse(run.stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      ...{ reason: 'finished', queued: 0, inFlight: 0 },
    })
  })

  it('fetches the good pages in between', () => {
    const good = Array.from({ length: GOOD_PAGES }, (_, number) => recordsOf(`good/${number}`))
    for (const visits of good) expect(visits.map(gist)).toEqual([{ status: 200 }])
  })

  it('has one record per URL', () => {
    expect([...records.values()].filter(({ length }) => length !== 1)).toEqual([])
  })

  it('uses only documented error codes', () => {
    const documented = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
    const codes = new Set(run.visits.flatMap(({ error }) => error?.code ?? []))
    for (const code of codes) expect(documented).toContain(`| \`${code}\` |`)
    expect(codes).not.toContain('internal')
  })

  // With one core for each worker, V8 prefers speed to memory.
  it.runIf(TELLS_PEAK && availableParallelism() < 8)('uses less than 400 MiB of memory', () => {
    expect(peak()).toBeGreaterThan(50e6)
    expect(peak()).toBeLessThan(400 * 2 ** 20)
  })

  it('writes no stack, error or control character to stderr', () => {
    expect(run.stderr).not.toMatch(/^\s+at |Error:|warning/im)
    expect(run.stderr).not.toMatch(/[^\P{Cc}\n]/u)
  })

  it('writes no control character to stdout except line endings', () => {
    expect(run.stdout).not.toMatch(/[^\P{Cc}\n]/u)
  })

  it('follows an endless chain of redirects up to its limit', () => {
    const last = recordsOf(`redirects-for-ever/${MAX_REDIRECTS}`)
    expect(last.map(gist)).toEqual([{ status: 302, error: 'too-many-redirects' }])
    expect(recordsOf(`redirects-for-ever/${MAX_REDIRECTS + 1}`)).toEqual([])
  })
})
