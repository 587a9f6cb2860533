import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { openMetrics } from '../../../src/crawl/stats/metrics.ts'
import { metricsText } from '../../../src/crawl/stats/metrics-text.ts'
import type { Stats } from '../../../src/crawl/stats/stats.ts'
import { callCrawl } from '../../support/call-cli.ts'
import { freePort } from '../../support/listen.ts'
import { serve } from '../../support/serve.ts'

const STATS: Stats = {
  ...{
    elapsedMs: 5,
    visits: 7,
    bytes: 11,
    queued: 3,
    inFlight: 2,
    hosts: 1,
    hostsAway: 1,
    retries: 0,
    rss: 99,
  },
  ...{ statuses: { 200: 6, 404: 1 }, errors: {}, failed: 0, skipped: { robots: 4 }, merged: {} },
  seen: { added: 8, bytes: 1, fill: 0.5, falsePositiveRate: 0.001, expectedLost: 0 },
  workers: [{ worker: 1, elapsedMs: 5, setSize: 8, fetched: 7, failed: 0, inFlight: 2 }],
}
const WAITS = [
  { within: 0.1, hosts: 2 },
  { within: 1, hosts: 3 },
  { within: 60, hosts: 4 },
  { within: Number.POSITIVE_INFINITY, hosts: 5 },
]
const docs = (name: string) =>
  readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')

it('/metrics serves the statistics of the crawl to this machine until the crawl ends', async () => {
  const { port, metrics } = await openAtFreePort()
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  expect((await ask('/metrics')).status).toBe(503)
  metrics.watch({ stats: () => STATS, hostWaits: () => WAITS })
  const answer = await ask('/metrics')
  expect(answer.headers.get('content-type')).toContain('version=0.0.4')
  const text = await answer.text()
  expect(text).toContain('# TYPE orbweaver_visits_total counter\norbweaver_visits_total 7\n')
  expect(text).toContain('orbweaver_statuses_total{status="404"} 1\n')
  expect(text).toContain('orbweaver_paused 0\n')
  expect(metricsText({ ...STATS, paused: true }, WAITS, { mean: 0, max: 0 })).toContain(
    'orbweaver_paused 1\n',
  )
  // In this order, although objects put whole numbers first.
  expect(
    [...text.matchAll(/^orbweaver_waiting_hosts{within="(.+)"} (\d)$/gm)].map((m) => m.slice(1)),
  ).toEqual([
    ['0.1', '2'],
    ['1', '3'],
    ['60', '4'],
    ['+Inf', '5'],
  ])
  expect(text).toMatch(/^orbweaver_event_loop_delay_max_seconds \d/m)
  expect((await ask('/metrics?part=1')).status).toBe(200)
  const head = await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect((await ask('/')).status).toBe(404)
  expect((await ask('/metrics2')).status).toBe(404)
  metrics.close()
  await expect(ask('/metrics')).rejects.toThrow()
})

it('a port in use is reported in one sentence', async () => {
  const taken = await serve((_, response) => void response.end())
  const port = Number(new URL(taken.url).port)
  await expect(openMetrics(port)).rejects.toThrow(`--metrics: port ${port} can't be opened`)
})

it('the docs and the dashboard contain all metrics, and no others', () => {
  const text = metricsText(STATS, WAITS, { mean: 0, max: 0 })
  const names = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name)
  const explained = [...docs('metrics.md').matchAll(/^\| `(orbweaver_\w+)`/gm)]
  expect(explained.map(([, name]) => name)).toEqual(names)
  const shown = docs('grafana-dashboard.json').match(/orbweaver_\w+/g) ?? []
  expect(shown.filter((name) => !names.includes(name))).toEqual([])
})

it('/metrics is served to other machines if their address is given', async () => {
  const { port, metrics } = await openAtFreePort('0.0.0.0')
  metrics.watch({ stats: () => STATS, hostWaits: () => WAITS })
  expect((await fetch(`http://127.0.0.2:${port}/metrics`)).status).toBe(200)
})

it.each(['crawl', 'crawl check'])('/metrics is served during the command: %s', async (command) => {
  const port = await freePort()
  let metrics = ''
  const site = await serve(async (_, response) => {
    metrics = await fetch(`http://127.0.0.1:${port}/metrics`).then((answer) => answer.text())
    response.end()
  })
  await callCrawl([
    ...command.split(' ').slice(1),
    site.url,
    '-q',
    '-w',
    '1',
    '--metrics',
    `${port}`,
  ])
  expect(metrics).toContain('orbweaver_in_flight_requests 1\n')
})

async function openAtFreePort(address = '') {
  const port = await freePort()
  const metrics = await openMetrics(address === '' ? port : `${address}:${port}`)
  if (metrics === undefined) throw new Error('no metrics are served')
  onTestFinished(() => metrics.close())
  return { port, metrics }
}
