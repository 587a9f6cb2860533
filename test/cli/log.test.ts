import { beforeAll, describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { runCrawl } from '../support/run-cli.ts'
import { serve } from '../support/serve.ts'
import { useFolder } from '../support/state-run.ts'
import { until } from '../support/until.ts'
import { serveTree, startTree } from './tree-site.ts'

/** The fields of a log line that tests check. */
interface LogLine {
  readonly msg: string
  readonly elapsedMs: number
  readonly worker: number
  readonly setSize: number
  readonly fetched: number
  readonly rss: number
  readonly skipped: object
  readonly merged: object
}

describe('the log', () => {
  const path = useFolder()
  let lines: LogLine[] = []

  beforeAll(async () => {
    let log = ''
    // Some lines are logged before the first page is fetched, on any machine.
    const site = await startTree(60, async () => {
      await until(() => log.split('"worker":2').length >= 4)
    })
    const run = await runCrawl(
      [`${site.url}/1`, '-d', '99', '-w', '2', '-c', '1', '--log-interval', '50ms'],
      {
        onStart: ({ stderr }) => void stderr?.on('data', (text) => (log += text)),
      },
    )
    await site.close()
    expect(run.code).toBe(0)
    lines = run.stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  })

  it('has lines for each worker, while it runs and at the end', () => {
    for (const worker of [1, 2]) {
      const own = lines.filter((line) => line.worker === worker)
      expect(own.length).toBeGreaterThan(2)
      for (const line of own) {
        const { elapsedMs, setSize } = line
        expect(line).toMatchObject({
          level: 30,
          msg: `Thread-${worker}, UsedTime-${elapsedMs}, SetSize = ${setSize}`,
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.+Z$/),
          fetched: expect.any(Number),
          failed: 0,
        })
      }
      expect(own.at(-1)?.setSize).toBeGreaterThanOrEqual(own[0]?.setSize ?? Infinity)
    }
    const last = lines.slice(-3, -1)
    expect(last.map(({ worker }) => worker)).toEqual([1, 2])
    expect(last.reduce((sum, { fetched }) => sum + fetched, 0)).toBe(60)
    expect(last.reduce((sum, { setSize }) => sum + setSize, 0)).toBe(59)
  })

  it('has lines for the crawl: queue, requests in flight, memory, speed, seen set', () => {
    const own = lines.filter((line) => line.msg.startsWith('Crawl: '))
    expect(own.length).toBeGreaterThan(2)
    for (const line of own) {
      expect(line).toMatchObject({
        visits: expect.any(Number),
        queued: expect.any(Number),
        inFlight: expect.any(Number),
        pagesPerSecond: expect.any(Number),
        seen: {
          fill: expect.any(Number),
          falsePositiveRate: expect.any(Number),
          expectedLost: expect.any(Number),
          audit: { mistakes: 0, sampled: expect.any(Number) },
        },
      })
      expect(line.rss).toBeGreaterThan(10_000_000)
    }
  })

  it('ends with a summary', () => {
    const summary = lines.at(-1)
    expect(summary).toMatchObject({
      ...{ reason: 'finished', visits: 60, statuses: { 200: 60 }, errors: {} },
      ...{ queued: 0, inFlight: 0, hosts: 1, retries: 0 },
      msg: expect.stringMatching(
        /^Finished: 60 visits, [\d.]+\/s, 0 queued, 0 in flight, \d+ MiB, \S+ % of the seen set taken, /,
      ),
    })
    expect([summary?.skipped, summary?.merged]).toEqual([{}, {}])
  })

  it('shows the speed of this run after a resume, without the pages of earlier runs', async () => {
    let delay = 0
    const site = await serve((_, response) => {
      response.setHeader('content-type', 'text/html')
      const links = Array.from({ length: 40 }, (__, n) => `<a href=/${n}>`).join('')
      setTimeout(() => response.end(links), delay)
    })
    const args = [site.url, '--ignore-robots', '--state', path('state'), '-w', '1']
    await callCrawl([...args, '--max-pages', '30'])
    delay = 1_000
    const run = await callCrawl([...args, '--log-interval', '100ms', '--max-pages', '31'])
    const first = run.stderr.split('\n').find((line) => line.includes('"Crawl: '))
    expect(JSON.parse(first ?? '')).toMatchObject({ visits: 30, pagesPerSecond: 0 })
  })

  it('names failed seeds if others succeeded, and counts failures', async () => {
    const site = await serveSite({
      '/': '<a href=/lost>',
      '/moved': (_, response) => void response.writeHead(302, { location: '/none' }).end(),
    })
    const closed = 'http://127.0.0.3:1/'
    const seeds = ['/', '/gone', '/moved'].map((end) => site.url + end)
    const run = await callCrawl([...seeds, closed, '--retries', '0', '-w', '1'])
    expect(run.code).toBe(0)
    const all: { level: number; msg: string }[] = run.stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const warnings = all.filter(({ level }) => level === 40).map(({ msg }) => msg)
    expect(warnings.toSorted()).toEqual([
      `Seed ${site.url}/gone: 404 Not Found`,
      `Seed ${site.url}/none: 404 Not Found`,
      `Seed ${closed}: port 1 of 127.0.0.3 is blocked, as in browsers`,
    ])
    expect(all.at(-1)).toMatchObject({
      msg: expect.stringMatching(/^Finished: 6 visits, 3 HTTP errors, 1 failed, [\d.]+\/s, /),
      seedFailures: [{ url: closed }],
      seedErrors: [{ reason: '404 Not Found' }, { reason: '404 Not Found' }],
      seen: { falsePositiveRate: expect.any(Number) },
    })
  })

  it('is empty with -q and for levels above info', async () => {
    const { url } = await serveTree(3)
    for (const flags of [['-q'], ['--log-level', 'warn'], ['--log-level', 'silent']]) {
      expect((await callCrawl([`${url}/1`, '-w', '1', ...flags])).stderr).toBe('')
    }
  })
})
