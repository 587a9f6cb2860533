import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { crawl } from '../../src/crawl/crawl.ts'
import { crawlSite, serveSite } from '../support/crawl-site.ts'
import { until } from '../support/until.ts'

const links = (count: number) =>
  Array.from({ length: count }, (_, index) => `<a href="/${index}">x</a>`).join('')

describe('--rate', () => {
  it('limits all requests of all workers: robots.txt, pages, redirects, retries', async () => {
    let failures = 0
    const site = await serveSite({
      '/': links(40),
      ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`/${index}`, 'page'])),
      '/3': (_, response) => response.writeHead(302, { location: '/moved' }).end(),
      '/moved': 'moved',
      '/4': (_, response) => response.writeHead(failures++ === 0 ? 503 : 200).end(),
    })
    const { visits } = await crawlSite(site, { rate: 50, workers: 2 })
    expect(visits).toHaveLength(42)
    const times = site.requests.map(({ startedAt }) => startedAt)
    // robots.txt, the root, its 40 links, the target of a redirect, and a retry
    expect(times).toHaveLength(44)
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan((0.8 * 43_000) / 50)
  })

  it('sends nothing more after the crawl was stopped, and leaves the rest in the queue', async () => {
    const site = await serveSite({ '/': links(40) })
    const running = crawl({ seeds: [`${site.url}/`], rate: '3/m', ignoreRobots: true })
    await until(() => site.requests.length > 0 && running.stats().inFlight > 1)
    const since = performance.now()
    running.stop()
    const { reason, left } = await running.finished.then(({ reason, queued }) => ({
      reason,
      left: queued,
    }))
    // The next request was due after 20 s, and requests in flight have 7 s to end.
    expect(performance.now() - since).toBeLessThan(6_000)
    expect({ reason, left, requests: site.requests.length }).toEqual({
      ...{ reason: 'stopped', left: 40, requests: 1 },
    })
  })
})

describe('--bandwidth', () => {
  it('limits the bytes of all workers together', async () => {
    const body = `${links(12)}${'x'.repeat(30_000)}`
    const site = await serveSite({
      '/': body,
      ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`/${index}`, body])),
    })
    const since = performance.now()
    const { visits } = await crawlSite(site, { bandwidth: '500k', workers: 2 })
    expect(visits.every(({ status }) => status === 200)).toBe(true)
    expect(visits).toHaveLength(13)
    // Each worker may have read a socket's buffer ahead, and have paid for nothing of the last response.
    expect(performance.now() - since).toBeGreaterThan(500)
  })
})

describe('--retry-status', () => {
  it('retries these statuses in addition to the usual ones', async () => {
    const requests = new Map<string, number>()
    const failingOnce =
      (status: number) => (request: IncomingMessage, response: ServerResponse) => {
        const count = (requests.get(request.url ?? '') ?? 0) + 1
        requests.set(request.url ?? '', count)
        response.writeHead(count === 1 ? status : 200).end()
      }
    const site = await serveSite({
      '/': '<a href="/403">1</a><a href="/503">2</a><a href="/599">3</a><a href="/404">4</a>',
      '/403': failingOnce(403),
      '/503': failingOnce(503),
      '/599': failingOnce(599),
      '/404': failingOnce(404),
    })
    const { byPath } = await crawlSite(site, { retryStatus: [403, '5XX'] })
    const attempts = ['/403', '/503', '/599', '/404'].map((path) => {
      const { status, attempts: count } = byPath.get(path) ?? {}
      return [status, count]
    })
    expect(attempts).toEqual([
      [200, 2],
      [200, 2],
      [200, 2],
      [404, 1],
    ])
  })
})
