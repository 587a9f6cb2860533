import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { type CrawlOptions, crawl } from '../../src/crawl/crawl.ts'
import type { Visit } from '../../src/records/visit.ts'
import { gapsOf, type SiteServer, startServer } from '../support/site-server.ts'

const servers: SiteServer[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

async function serve(handler: Handler, host = '127.0.0.1'): Promise<SiteServer> {
  const server = await startServer(handler, { host })
  servers.push(server)
  return server
}

function page(response: ServerResponse, ...links: readonly string[]): void {
  response.setHeader('content-type', 'text/html')
  response.end(links.map((href) => `<a href="${href}">x</a>`).join(''))
}

async function visitsOf(config: CrawlOptions): Promise<Visit[]> {
  const visits: Visit[] = []
  for await (const visit of crawl({ workers: 1, ...config })) visits.push(visit)
  return visits
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`)

describe('politeness', () => {
  it('limits the requests in flight per host over all workers together', async () => {
    const site = await serve(async (request, response) => {
      // Slow until all workers have started, which takes long on a busy machine.
      await sleep(site.maxConcurrent < 3 ? 100 : 5)
      page(response, ...(request.url === '/' ? numbered(60) : []))
    })
    const visits = await visitsOf({ seeds: [site.url], workers: 4, concurrency: 1, perHost: 3 })
    expect(visits).toHaveLength(61)
    expect(site.maxConcurrent).toBe(3)
  })

  it('pauses between the end of a response and the next request, over all workers', async () => {
    const site = await serve(async (request, response) => {
      await sleep(20)
      page(response, ...(request.url === '/' ? numbered(5) : []))
    })
    await visitsOf({ seeds: [site.url], workers: 3, delay: '60ms' })
    const gaps = gapsOf(site)
    expect(gaps).toHaveLength(6)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(59)
  })

  it('obeys the Crawl-delay of a host if it is longer', async () => {
    const site = await serve((request, response) => {
      if (request.url === '/robots.txt') response.end('User-agent: *\nCrawl-delay: 0.2')
      else page(response, ...(request.url === '/' ? numbered(3) : []))
    })
    await visitsOf({ seeds: [site.url], workers: 2, delay: '1ms' })
    expect(site.requests).toHaveLength(5)
    expect(Math.min(...gapsOf(site).slice(1))).toBeGreaterThanOrEqual(199)
  })

  it('crawls other hosts during the Crawl-delay of one', async () => {
    const { promise: pausing, resolve: pause } = Promise.withResolvers<void>()
    const slow = await serve((_, response) => {
      response.end('User-agent: *\nCrawl-delay: 60')
      pause()
    }, '127.0.0.2')
    const other = await serve(async (request, response) => {
      await pausing
      page(response, ...(request.url === '/' ? numbered(50) : []))
    }, '127.0.0.3')
    await visitsOf({ seeds: [slow.url, other.url], workers: 2, delay: '1ms', maxPages: 51 })
    expect(slow.requests.map(({ url }) => url)).toEqual(['/robots.txt'])
    expect(other.requests).toHaveLength(52)
  })

  it("doesn't let a slow host delay another", async () => {
    const { promise: othersCrawled, resolve: release } = Promise.withResolvers<void>()
    const silent = await serve(async (_, response) => {
      await othersCrawled
      page(response)
    }, '127.0.0.2')
    const site = await serve((request, response) => {
      page(response, ...(request.url === '/' ? numbered(40) : []))
      if (site.requests.length === 41) release()
    }, '127.0.0.3')
    const config = { seeds: [silent.url, site.url], ignoreRobots: true, timeout: '1h' }
    const visits = await visitsOf({ ...config, retries: 0, workers: 1, concurrency: 2 })
    expect(visits).toHaveLength(42)
    expect(silent.requests).toHaveLength(1)
  })
})

describe('the scope', () => {
  it("follows a seed's redirect to another host, and no other redirect out of scope", async () => {
    const elsewhere = await serve((_, response) => page(response), '127.0.0.4')
    const target = await serve((request, response) => {
      if (request.url === '/leave') response.writeHead(302, { location: elsewhere.url }).end()
      else page(response, '/leave', '/stay')
    }, '127.0.0.3')
    const seed = await serve((_, response) => {
      response.writeHead(301, { location: `${target.url}/` }).end()
    }, '127.0.0.2')
    const config = { seeds: [seed.url], ignoreRobots: true, allowPrivate: true, perHost: 1 }
    const visits = await visitsOf(config)
    expect(visits.map(({ url, depth, hop }) => [url, depth, hop])).toEqual([
      [`${seed.url}/`, 0, 'seed'],
      [`${target.url}/`, 0, 'redirect'],
      [`${target.url}/leave`, 1, 'link'],
      [`${target.url}/stay`, 1, 'link'],
    ])
    expect(visits[2]).toMatchObject({ redirectsTo: `${elsewhere.url}/` })
    expect(elsewhere.requests).toHaveLength(0)
  })
})

describe('limits', () => {
  it('ends after exactly --max-pages pages, for any number of workers', async () => {
    const site = await serve(async (request, response) => {
      // Slow until a second worker has started, which takes long on a busy machine.
      await sleep(site.maxConcurrent > 16 ? 5 : 100)
      page(response, ...(request.url === '/' ? numbered(200) : []))
    })
    const visits = await visitsOf({ seeds: [site.url], workers: 4, perHost: 64, maxPages: 137 })
    expect(visits).toHaveLength(137)
    expect(site.maxConcurrent).toBeGreaterThan(16)
    expect(site.requests.filter(({ url }) => url !== '/robots.txt')).toHaveLength(137)
  })

  it('ends the crawl when the reader leaves its loop', async () => {
    const site = await serve((request, response) => page(response, `${request.url}a`))
    const running = crawl({ seeds: [site.url], depth: 1_000_000 })
    for await (const { depth } of running) if (depth > 3) break
    await expect(running.finished).resolves.toMatchObject({ reason: 'output-closed' })
  })

  it.each([false, true])(
    'ends the crawl when the reader returns, while it waits for a visit: %s',
    async (isWaiting) => {
      const site = await serve((request, response) => {
        if (isWaiting && request.url !== '/robots.txt') return
        page(response, `${request.url}a`)
      })
      const running = crawl({ seeds: [site.url], depth: 1_000_000, timeout: '1s', retries: 0 })
      const visits = running[Symbol.asyncIterator]()
      const waiting = isWaiting ? visits.next() : undefined
      await visits.return?.()
      await expect(running.finished).resolves.toMatchObject({ reason: 'output-closed' })
      expect(await waiting).toEqual(isWaiting ? { done: true, value: undefined } : undefined)
      expect(await visits.next()).toEqual({ done: true, value: undefined })
    },
  )

  it('ends the crawl when a stream of its visits is destroyed, with the error of the stream', async () => {
    const site = await serve((request, response) => page(response, `${request.url}a`))
    const running = crawl({ seeds: [site.url], depth: 1_000_000 })
    const stream = Readable.from(running)
    await once(stream, 'data')
    stream.destroy(new Error('disk full'))
    await expect(finished(stream)).rejects.toThrow('disk full')
    await expect(running.finished).resolves.toMatchObject({ reason: 'output-closed' })
  })
})

describe('a transient failure', () => {
  it('costs further attempts, and is in one record', async () => {
    let answers = 0
    const site = await serve((_, response) => {
      if (++answers < 3) response.writeHead(503).end()
      else page(response)
    })
    const visits = await visitsOf({ seeds: [site.url], ignoreRobots: true })
    expect(visits).toMatchObject([{ status: 200, attempts: 3 }])
  })
})
