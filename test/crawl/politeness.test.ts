import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { serve } from '../support/serve.ts'
import { gapsOf } from '../support/site-server.ts'
import { runAndLog } from './run-and-log.ts'

type Handler = Parameters<typeof serve>[0]

function page(response: ServerResponse, ...links: readonly string[]): void {
  response.setHeader('content-type', 'text/html')
  response.end(links.map((href) => `<a href="${href}">x</a>`).join(''))
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`)
const quick = { ignoreRobots: true, workers: 1 } as const

describe('Retry-After', () => {
  it.each([
    ['seconds', () => '1'],
    ['a date', () => new Date(Date.now() + 2_000).toUTCString()],
  ])('in %s pauses the host, while others continue', async (_, value) => {
    const { promise: pausedAt, resolve: notePause } = Promise.withResolvers<number>()
    let isBusy = true
    const site = await serve((request, response) => {
      if (request.url === '/3' && isBusy) {
        isBusy = false
        notePause(performance.now())
        response.writeHead(429, { 'retry-after': value() }).end()
      } else page(response, ...(request.url === '/' ? numbered(9) : []))
    }, '127.0.0.2')
    const other = await serve(async (request, response) => {
      await pausedAt
      page(response, ...(request.url === '/' ? numbered(12) : []))
    }, '127.0.0.3')
    const config = { ...quick, perHost: 1, seeds: [site.url, other.url] }
    const { visits } = await runAndLog(config, { random: () => 0 })
    expect(visits).toHaveLength(23)
    expect(visits.find(({ url }) => url === `${site.url}/3`)).toMatchObject({ attempts: 2 })
    const requested = site.requests.findIndex(({ url }) => url === '/3')
    const next = site.requests[requested + 1]?.startedAt ?? 0
    expect(next - (await pausedAt)).toBeGreaterThan(990)
    // All requests but the first were made after that.
    expect(other.requests[1]?.startedAt).toBeLessThan(next)
  })

  it('also applies to URLs that wait in the worker', async () => {
    let answeredAt = 0
    const site = await serve((request, response) => {
      if (request.url === '/3' && answeredAt === 0) {
        answeredAt = performance.now()
        response.writeHead(429, { 'retry-after': '1' }).end()
      } else page(response, ...(request.url === '/' ? numbered(9) : []))
    })
    // The worker makes one request at a time, so the next URL waits in it.
    const config = { ...quick, concurrency: 1, perHost: 1, seeds: [site.url] }
    const { visits } = await runAndLog(config, { random: () => 0 })
    expect(visits).toHaveLength(10)
    const requested = site.requests.findIndex(({ url }) => url === '/3')
    expect((site.requests[requested + 1]?.startedAt ?? 0) - answeredAt).toBeGreaterThan(990)
  })

  it('of a day fails its URL with the reason, and pauses its host for --max-retry-after', async () => {
    const site = await serve((request, response) => {
      if (request.url === '/3') response.writeHead(503, { 'retry-after': '86400' }).end()
      else page(response, ...(request.url === '/' ? numbered(9) : []))
    })
    const config = { ...quick, perHost: 1, maxRetryAfter: '300ms', seeds: [site.url] }
    const { visits, summary, warnings } = await runAndLog(config)
    expect(visits).toHaveLength(10)
    const message = 'the host has a Retry-After of 86400 s, longer than --max-retry-after'
    expect(visits.filter(({ status }) => status !== 200)).toMatchObject([
      {
        url: `${site.url}/3`,
        status: 503,
        attempts: 1,
        error: { code: 'retry-after-too-long', message },
      },
    ])
    const [requested, next] = site.requests.slice(4)
    expect(requested?.url).toBe('/3')
    expect((next?.startedAt ?? 0) - (requested?.endedAt ?? 0)).toBeGreaterThan(290)
    expect(warnings).toEqual([])
    expect(summary.skipped).toEqual({})
  })

  it.each([
    ['by each of its pages', () => true, 3],
    ['by some of its pages', (path: string) => Number(path.slice(1)) % 2 === 0, 5],
  ])('of a day, sent %s, makes the crawl give the host up', async (_, insists, requested) => {
    const site = await serve((request, response) => {
      if (request.url === '/') page(response, ...numbered(9))
      else if (insists(request.url ?? '')) response.writeHead(429, { 'retry-after': '86400' }).end()
      else page(response)
    })
    const limits = { perHost: 1, maxRetryAfter: '20ms', maxHostErrors: 3 }
    const run = await runAndLog({ ...quick, ...limits, seeds: [site.url] })
    expect(site.requests).toHaveLength(1 + requested)
    expect(run.skips.filter(({ reason }) => reason === 'host-failed')).toHaveLength(9 - requested)
    expect(run.summary.skipped).toEqual({ 'host-failed': 9 - requested })
    expect(run.warnings).toEqual([
      expect.stringContaining(`is given up, with ${9 - requested} URLs`),
    ])
  })

  it('of a day for robots.txt is waited for only while something else is left to do', async () => {
    const site = await serve((_, response) => {
      response.writeHead(503, { 'retry-after': '86400' }).end()
    })
    const { visits } = await runAndLog({ workers: 1, seeds: [site.url] })
    expect(visits).toMatchObject([{ error: { code: 'robots-unreachable' } }])
    expect(visits[0]?.error?.message).toMatch(/answered 503, and has a Retry-After of 86400 s/)
    expect(site.requests).toHaveLength(1)
  })
})

describe('--max-host-errors', () => {
  it('gives up a host that fails, counts its URLs as skipped, and warns once', async () => {
    const site = await serve((request, response) => {
      if (request.url === '/') page(response, ...numbered(300))
      else response.socket?.destroy()
    }, '127.0.0.2')
    const other = await serve((request, response) => {
      page(response, ...(request.url === '/' ? numbered(30) : []))
    }, '127.0.0.3')
    const config = { ...quick, seeds: [site.url, other.url], retries: 0, maxHostErrors: 8 }
    const { visits, skips, summary, warnings } = await runAndLog(config)
    const failed = visits.filter(({ error }) => error?.code === 'connection-reset')
    expect(failed.length).toBeGreaterThanOrEqual(8)
    // The others are in flight, or held back until the host is known to respond: at most --per-host of each.
    expect(failed.length).toBeLessThanOrEqual(8 + 6 + 6)
    expect(visits).toHaveLength(32 + failed.length)
    expect(summary).toMatchObject({ skipped: { 'host-failed': 300 - failed.length } })
    expect(skips.filter(({ reason }) => reason === 'host-failed')).toHaveLength(300 - failed.length)
    expect(warnings).toEqual([expect.stringMatching(/^127\.0\.0\.2:\d+ is given up, .+ in a row$/)])
  })
})

describe('--max-per-host', () => {
  it('fetches at most that many pages of each host, and counts the rest as skipped', async () => {
    const handler: Handler = (request, response) => {
      page(response, ...(request.url === '/' ? numbered(20) : []))
    }
    const sites = [await serve(handler, '127.0.0.2'), await serve(handler, '127.0.0.3')]
    const config = { workers: 4, maxPerHost: 7, seeds: sites.map(({ url }) => url) }
    const { visits, summary } = await runAndLog(config)
    expect(visits).toHaveLength(14)
    for (const site of sites) expect(site.requests).toHaveLength(8)
    expect(summary.skipped).toEqual({ limit: 28 })
  })
})

describe('--max-per-domain', () => {
  it('limits the pages of all hosts of a domain together, and skips the rest with its own reason', async () => {
    const handler: Handler = (request, response) => {
      page(response, ...(request.url === '/' ? numbered(20) : []))
    }
    // An IP address is a domain of its own, whatever the port.
    const wild = [await serve(handler, '127.0.0.2'), await serve(handler, '127.0.0.2')]
    const calm = await serve(handler, '127.0.0.3')
    const seeds = [...wild, calm].map(({ url }) => url)
    const config = { workers: 4, perHost: 3, maxPerDomain: 21, seeds }
    const { visits, skips, summary } = await runAndLog(config)
    const isCalm = ({ url }: { readonly url: string }) => url.startsWith(calm.url)
    expect(visits.filter(isCalm)).toHaveLength(21)
    expect(visits.filter((visit) => !isCalm(visit))).toHaveLength(21)
    const requested = wild.flatMap(({ requests }) => requests.map(({ url }) => url))
    expect(requested.filter((url) => url !== '/robots.txt')).toHaveLength(21)
    expect(summary.skipped).toEqual({ 'domain-limit': 21 })
    expect(skips.map(({ reason }) => reason)).toEqual(Array(21).fill('domain-limit'))
  })
})

describe('a Crawl-delay', () => {
  const slowSite = (seconds: number) =>
    serve((request, response) => {
      if (request.url === '/robots.txt') response.end(`User-agent: *\nCrawl-delay: ${seconds}`)
      else page(response, '/1')
    }, '127.0.0.2')

  it('of hours counts as a disallow rule of robots.txt, and the record says so', async () => {
    const site = await slowSite(7_200)
    const { visits, skips, summary } = await runAndLog({ workers: 1, seeds: [`${site.url}/`] })
    expect(visits).toEqual([])
    expect(site.requests.map(({ url }) => url)).toEqual(['/robots.txt'])
    expect(skips).toMatchObject([{ reason: 'robots', rule: 'Crawl-delay: 7200', line: 2 }])
    const reason =
      'line 2 of robots.txt asks for Crawl-delay: 7200, more than the accepted maximum of 300 s'
    expect(summary.seedFailures).toEqual([{ url: `${site.url}/`, reason }])
  })

  it('of minutes delays only its own host, and is logged', async () => {
    const slow = await slowSite(299)
    const other = await serve((request, response) => {
      page(response, ...(request.url === '/' ? numbered(30) : []))
    }, '127.0.0.3')
    const waitLine = `: 1 waiting host (${new URL(slow.url).host} for another 29`
    const isTold = (warnings: readonly string[]) =>
      other.requests.length === 32 && warnings.filter((line) => line.includes(waitLine)).length > 1
    const config = { workers: 2, seeds: [slow.url, other.url] }
    const { visits } = await runAndLog(config, { silence: 400 }, isTold)
    expect(visits).toHaveLength(31)
  })
})

describe('--per-ip', () => {
  it('treats hosts with the same address as one', async () => {
    let running = 0
    let most = 0
    const handler: Handler = async (request, response) => {
      most = Math.max(most, ++running)
      await sleep(5)
      running--
      page(response, ...(request.url === '/' ? numbered(12) : []))
    }
    const sites = [await serve(handler), await serve(handler), await serve(handler)]
    const config = { workers: 3, perHost: 2, perIp: true, seeds: sites.map(({ url }) => url) }
    const { visits } = await runAndLog(config)
    expect(visits).toHaveLength(39)
    expect(most).toBe(2)
  })

  it('requests a host whose name has no address nevertheless', async () => {
    const config = { ...quick, perIp: true, retries: 0, seeds: ['http://nowhere.invalid/'] }
    const { visits } = await runAndLog(config)
    expect(visits).toMatchObject([{ error: { code: 'dns-failure' } }])
  })
})

describe('--adaptive', () => {
  it('pauses as long as a host takes to respond', async () => {
    const site = await serve(async (request, response) => {
      await sleep(60)
      page(response, ...(request.url === '/' ? numbered(6) : []))
    })
    await runAndLog({ ...quick, adaptive: true, seeds: [site.url] })
    const gaps = gapsOf(site)
    expect(gaps).toHaveLength(6)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(58)
  })
})

describe('URLs that wait in workers', () => {
  const fast = { ignoreRobots: true, workers: 2, concurrency: 2, perHost: 4 } as const

  it('stay within --per-host requests in flight', async () => {
    let inFlight = 0
    const most: number[] = []
    const site = await serve(async (request, response) => {
      most.push(++inFlight)
      await sleep(5)
      inFlight--
      page(response, ...(request.url === '/' ? numbered(80) : []))
    })
    const { visits } = await runAndLog({ ...fast, seeds: [site.url] })
    expect(visits).toHaveLength(81)
    expect(Math.max(...most)).toBe(4)
  })

  it('are not requested while their host pauses, and each is fetched once', async () => {
    let refusedAt = 0
    const site = await serve(async (request, response) => {
      await sleep(20)
      if (request.url === '/30' && refusedAt === 0) {
        refusedAt = performance.now()
        response.writeHead(429, { 'retry-after': '1' }).end()
      } else page(response, ...(request.url === '/' ? numbered(50) : []))
    })
    const { visits } = await runAndLog({ ...fast, seeds: [site.url] }, { random: () => 0 })
    expect(visits).toHaveLength(51)
    expect(new Set(visits.map(({ url }) => url)).size).toBe(51)
    const attempts = visits.filter((visit) => visit.attempts !== 1).map(({ url }) => url)
    expect(attempts).toEqual([`${site.url}/30`])
    // Requests in flight end, and each may have started another one before the worker learned of the pause.
    const meanwhile = site.requests.filter(({ startedAt }) => {
      return startedAt > refusedAt && startedAt < refusedAt + 900
    })
    expect(meanwhile.length).toBeLessThanOrEqual(fast.perHost)
  })

  it('are left for a later run if the crawl is stopped', async () => {
    const site = await serve(async (request, response) => {
      await sleep(request.url === '/' ? 0 : 100)
      page(response, ...(request.url === '/' ? numbered(100) : []))
    })
    const { visits, summary } = await runAndLog({ ...fast, maxTime: '1s', seeds: [site.url] })
    expect(summary.reason).toBe('max-time')
    expect(visits).toHaveLength(site.requests.length)
  })
})

describe('the delay of a host', () => {
  it('applies to that host alone', async () => {
    const answer: Handler = (request, response) =>
      page(response, ...(request.url === '/' ? numbered(5) : []))
    const slow = await serve(answer, '127.0.0.2')
    const other = await serve(answer, '127.0.0.3')
    const seeds = [slow.url, other.url]
    await runAndLog({ ...quick, hostDelay: { '127.0.0.2': '120ms' }, seeds })
    expect(Math.min(...gapsOf(slow))).toBeGreaterThan(110)
    expect(other.requests.at(-1)?.startedAt).toBeLessThan(slow.requests[2]?.startedAt ?? 0)
  })
})
