import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Visit } from '../../src/records/visit.ts'
import { gapsOf, type SiteServer, startServer } from '../support/site-server.ts'
import { until } from '../support/until.ts'
import { runAndLog } from './run-and-log.ts'

const HOSTS = 50
const PAGES = 8
const DELAY_MS = 30
const PER_HOST = 3
/** Tolerance for the clocks of two threads, and for timers that are truncated to whole milliseconds. */
const TOLERANCE_MS = 1

/** The robots.txt of a host: a Crawl-delay for some, a disallowed path for others. */
interface Host {
  readonly crawlDelay: number
  readonly closed: string | undefined
  readonly server: SiteServer
}

const names = Array.from(
  { length: PAGES },
  (_, index) => `/${index % 3 === 0 ? 'no' : 'yes'}/${index}`,
)

async function startHost(index: number, delay: number): Promise<Host> {
  const crawlDelay = [0, 0, 40, 60, 120][index % 5] ?? 0
  const closed = index % 2 === 0 ? '/no/' : undefined
  const rules = [
    'User-agent: *',
    ...(closed === undefined ? [] : [`Disallow: ${closed}`]),
    ...(crawlDelay === 0 ? [] : [`Crawl-delay: ${crawlDelay / 1_000}`]),
  ].join('\n')
  const server = await startServer(
    async ({ url = '' }, response) => {
      await sleep(20 + (index % 4))
      if (url === '/robots.txt') {
        if (index % 10 === 3) response.writeHead(302, { location: '/rules' }).end()
        else response.end(rules)
        return
      }
      if (url === '/rules') {
        response.end(rules)
        return
      }
      if (url === '/yes/1') {
        response.writeHead(302, { location: '/yes/moved' }).end()
        return
      }
      // The pages of one host wait for each other, however slowly the crawl sends its requests.
      if (index === 0 && delay === 0 && url !== '/') {
        await until(() => server.maxConcurrent >= PER_HOST)
      }
      response.setHeader('content-type', 'text/html')
      response.end(url === '/' ? names.map((href) => `<a href="${href}">x</a>`).join('') : 'page')
    },
    { host: `127.0.0.${index + 2}` },
  )
  return { crawlDelay, closed, server }
}

/** Measures how long this thread was blocked during the crawl, since other processes may have caused that. */
function watchStalls() {
  const WAIT_MS = 10
  let stalled = 0
  let before = performance.now()
  const timer = setInterval(() => {
    stalled += Math.max(0, performance.now() - before - WAIT_MS)
    before = performance.now()
  }, WAIT_MS)
  return {
    /** Returns all blocked milliseconds. */
    end(): number {
      clearInterval(timer)
      return stalled
    },
  }
}

describe.each([
  ['a delay', DELAY_MS],
  ['none', 0],
])('a crawl of 50 hosts by 4 workers, with %s', (_, delay) => {
  const hosts: Host[] = []
  let visits: Visit[] = []
  let stalled = 0

  beforeAll(async () => {
    for (let index = 0; index < HOSTS; index++) hosts.push(await startHost(index, delay))
    const seeds = hosts.map(({ server }) => server.url)
    const stalls = watchStalls()
    const run = await runAndLog({ seeds, workers: 4, perHost: PER_HOST, delay: `${delay}ms` })
    visits = run.visits
    stalled = stalls.end()
  })

  afterAll(async () => {
    await Promise.all(hosts.map(({ server }) => server.close()))
  })

  it('fetches everything that is allowed, and nothing else', () => {
    for (const { closed, server } of hosts) {
      const requested = server.requests.map(({ url }) => url)
      expect(requested.filter((url) => closed !== undefined && url.startsWith(closed))).toEqual([])
      expect(requested.filter((url) => url === '/robots.txt')).toHaveLength(1)
      const allowed = names.filter((name) => closed === undefined || !name.startsWith(closed))
      const expected = ['/', '/yes/moved', ...allowed]
      expect(requested.filter((url) => !/^\/r/.test(url)).toSorted()).toEqual(expected.toSorted())
    }
    expect(visits.every(({ status }) => status === 200 || status === 302)).toBe(true)
  })

  it("keeps each host's delay between all requests, redirects and robots.txt included", () => {
    for (const { crawlDelay, server } of hosts) {
      const rulesAt = server.requests.findIndex(({ url }) => !/^\/r/.test(url))
      for (const [index, gap] of gapsOf(server).entries()) {
        // The Crawl-delay is unknown until robots.txt was read.
        const due = index + 1 < rulesAt ? delay : Math.max(delay, crawlDelay)
        if (due === 0) continue
        // Measured from when the response was ready, so a busy machine can only lengthen it.
        expect(gap).toBeGreaterThanOrEqual(due - TOLERANCE_MS)
      }
    }
  })

  it('never has more than --per-host requests in flight', () => {
    for (const { crawlDelay, server } of hosts) {
      const most = crawlDelay > 0 || delay > 0 ? 1 : PER_HOST
      expect(server.maxConcurrent).toBeLessThanOrEqual(most)
    }
    if (delay === 0) expect(hosts[0]?.server.maxConcurrent).toBe(PER_HOST)
  })

  it('fetches most pages of a host with one worker', () => {
    const ofWorkers = hosts.map(({ server }) => {
      const own = visits.filter(({ url }) => url.startsWith(server.url))
      return [1, 2, 3, 4].map((number) => own.filter(({ worker }) => worker === number).length)
    })
    const most = ofWorkers.reduce((sum, counts) => sum + Math.max(...counts), 0)
    // By chance, the share would be two fifths.
    expect(most).toBeGreaterThan(0.6 * visits.length)
  })

  it('takes less than half of the time that its hosts would take one after the other', () => {
    const due = hosts.map(({ crawlDelay, server: { requests } }) => {
      return (requests.length - 1) * Math.max(delay, crawlDelay)
    })
    const answered = hosts.flatMap(({ server: { requests } }) => requests)
    const end = Math.max(...answered.map(({ startedAt }) => startedAt))
    const span = end - Math.min(...answered.map(({ startedAt }) => startedAt))
    // On an idle machine it is a twentieth, since the slowest host determines the duration.
    expect(span - stalled).toBeLessThan(due.reduce((sum, ms) => sum + ms) / 2)
  })
})
