import { describe, expect, it } from 'vitest'
import { freePort } from '../support/listen.ts'
import { serve } from '../support/serve.ts'
import type { SiteServer } from '../support/site-server.ts'
import { chosen } from '../support/soak.ts'
import { startVanishingSite } from '../support/vanishing-site.ts'
import { runAndLog } from './run-and-log.ts'

/**
 * Returns a function that makes a site go away at one request, and come back after a time, or never if no time is
 * given.
 */
const awayFrom = (count: number, ms?: number, how?: Parameters<SiteServer['leave']>[0]) => {
  return (site: SiteServer, requests: number) => {
    if (requests !== count) return
    site.leave(how)
    if (ms !== undefined) setTimeout(() => site.comeBack(), ms)
  }
}

/**
 * Makes a site silent at its 20th request, until it has been probed by HEAD, and then by GET with the same URL. Had it
 * responded to one of these, only the URLs that failed before would be at fault.
 */
function silentUntilProbed(site: SiteServer, count: number): void {
  if (count !== 20) return
  site.leave('is-silent')
  const timer = setInterval(() => {
    const probe = site.requests.findIndex(({ method }) => method === 'HEAD')
    const probed = site.requests[probe]?.url
    if (!site.requests.slice(probe + 1).some(({ url }) => url === probed)) return
    clearInterval(timer)
    void site.comeBack()
  }, 50)
}

const methodsOf = ({ requests }: SiteServer) =>
  requests.map(({ method, url }) => `${method} ${url}`)

const paths = (site: SiteServer, visits: readonly { readonly url: string }[]) =>
  visits.map(({ url }) => url.slice(site.url.length))

describe('a host that stops answering', () => {
  // A busy machine may take seconds to serve a page.
  it.each([
    [
      'refuses, resets or is busy',
      (['refuses', 'resets', 'is-busy'] as const).map((how) => awayFrom(20, 1_500, how)),
      '20s',
    ],
    ['is silent', [silentUntilProbed], '4s'],
  ] as const)(
    'and comes back later costs no page, when it %s meanwhile',
    async (_, ways, timeout) => {
      const starting = ways.map((leaves) => startVanishingSite(49, leaves))
      const sites = await Promise.all(starting)
      const seeds = sites.map(({ url }) => url)
      const { visits, skips, summary, warnings } = await runAndLog({
        ...{ seeds, workers: 2, timeout, retries: 0 },
      })
      expect(visits.filter(({ status, error }) => status !== 200 || error !== undefined)).toEqual(
        [],
      )
      expect(new Set(visits.map(({ url }) => url)).size).toBe(50 * sites.length)
      expect(visits).toHaveLength(50 * sites.length)
      expect([skips, summary.skipped]).toEqual([[], {}])
      const message = / has stopped answering \(.+\): its \d+ URLs wait, for up to 120 s$/
      expect(warnings).toEqual(sites.map(() => expect.stringMatching(message)))
    },
  )

  it('in the middle of a page loses no line of --skipped, although the page is read again', async () => {
    const link = '<a href="http://elsewhere.test/">x</a>'
    let wasCut = false
    const site = await serve(({ url }, response) => {
      response.setHeader('content-type', 'text/html')
      if (url !== '/a' || wasCut) return response.end(url === '/' ? '<a href=/a>x</a>' : link)
      wasCut = true
      response.setHeader('content-length', 5_000)
      response.write(link)
      setTimeout(() => {
        response.destroy()
        site.leave()
        setTimeout(() => site.comeBack(), 1_500)
      }, 200)
      return undefined
    })
    const { visits, skips, summary } = await runAndLog({
      ...{ seeds: [site.url], workers: 1, retries: 0, ignoreRobots: true, skipped: 'listed' },
    })
    expect(visits.map(({ status, error }) => error?.code ?? status)).toEqual([200, 200])
    expect(skips.map(({ url, reason }) => [url, reason])).toEqual([
      ['http://elsewhere.test/', 'out-of-scope'],
    ])
    expect(summary.skipped).toEqual({ 'out-of-scope': 1 })
  })

  it('is given up after --host-patience, and its URLs are counted', async () => {
    const site = await startVanishingSite(50, awayFrom(20))
    const { visits, skips, summary, warnings } = await runAndLog({
      ...{ seeds: [site.url], workers: 1, hostPatience: '1s' },
    })
    expect(visits.filter(({ error }) => error !== undefined)).toEqual([])
    expect(skips.every(({ reason }) => reason === 'host-failed')).toBe(true)
    expect(visits.length + skips.length).toBe(51)
    expect(warnings).toEqual([
      expect.stringContaining('has stopped answering (connection re'),
      expect.stringMatching(
        / is given up, with \d+ URLs: it gave no usable response for [\d.]+ m?s \(.+\)$/,
      ),
    ])
    expect(summary).toMatchObject({ givenUp: { count: 1, hadAnswered: 1 } })
  })

  it('is probed after growing pauses, only with a URL that it responded to before', async () => {
    const site = await startVanishingSite(50, awayFrom(10, 4_000, 'is-busy'))
    await runAndLog({ seeds: [site.url], workers: 1, retries: 0 })
    const away = methodsOf(site)
      .slice(9)
      .findIndex((request) => request.startsWith('HEAD'))
    expect(away).toBeGreaterThan(0)
    const probes = methodsOf(site).filter((request) => /^HEAD|robots/.test(request))
    expect(probes.length).toBeLessThan(12)
  })

  it('delays no other host', async () => {
    const left = Promise.withResolvers<void>()
    const site = await startVanishingSite(20, (self, requests) => {
      if (requests !== 5) return
      self.leave()
      left.resolve()
    })
    const pages = 30
    // The site comes back only after all pages of the other host were requested.
    const onRequest = async (_: SiteServer, requests: number) => {
      await left.promise
      if (requests === pages + 2) await site.comeBack()
    }
    const other = await startVanishingSite(pages, onRequest, { host: '127.0.0.3', ms: 10 })
    const { visits } = await runAndLog({ seeds: [site.url, other.url], workers: 1 })
    expect(visits.filter(({ status }) => status !== 200)).toEqual([])
    expect(visits).toHaveLength(21 + pages + 1)
  })

  it('is not waited for if it never responded', async () => {
    const since = performance.now()
    const seeds = [`http://127.0.0.1:${await freePort()}/`]
    const { visits, summary } = await runAndLog({ seeds, workers: 1, ignoreRobots: true })
    expect(visits).toMatchObject([{ attempts: 3, error: { code: 'connection-refused' } }])
    expect(performance.now() - since).toBeLessThan(20_000)
    expect(summary.givenUp.hadAnswered).toBe(0)
  })
})

describe('a crawl that waits for a host', () => {
  it('writes the same with --deterministic as a crawl without an outage, except for attempts', async () => {
    const written = async (onRequest?: Parameters<typeof startVanishingSite>[1]) => {
      const site = await startVanishingSite(30, onRequest)
      const { visits } = await runAndLog({
        seeds: [site.url],
        workers: 2,
        concurrency: 1,
        deterministic: true,
      })
      return visits.map(({ attempts: _, ...visit }) =>
        JSON.stringify(visit).replaceAll(site.url, 'http://a.test'),
      )
    }
    const [whole, interrupted] = [await written(), await written(awayFrom(10, 1_200))]
    expect(interrupted).toHaveLength(31)
    expect(interrupted).toEqual(whole)
  })

  it('ends at --max-time nevertheless', async () => {
    const site = await startVanishingSite(50, awayFrom(20))
    const since = performance.now()
    const { summary, skips } = await runAndLog({ seeds: [site.url], workers: 1, maxTime: '2s' })
    expect(summary.reason).toBe('max-time')
    expect(performance.now() - since).toBeLessThan(30_000)
    expect(skips.filter(({ reason }) => reason === 'limit')).toHaveLength(51 - summary.visits)
  })

  it('logs that it waits', async () => {
    const site = await startVanishingSite(20, awayFrom(8, 2_000))
    const { warnings } = await runAndLog({ seeds: [site.url], workers: 1 }, { silence: 500 })
    const host = new URL(site.url).host
    expect(warnings).toContainEqual(
      expect.stringMatching(
        `waiting hosts? \\(${host} for another [\\d.]+ m?s, which has stopped answering`,
      ),
    )
  })
})

describe('--max-pages', () => {
  it.each(chosen([3, 4, 7], (pages) => pages !== 4))(
    'of %i is kept, even while failed URLs are held back',
    async (maxPages) => {
      const site = await serve((request, response) => {
        const links = Array.from({ length: 9 }, (_, page) => `<a href=/${page}>x</a>`).join('')
        if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(links)
        else if (Number(request.url?.slice(1)) % 2 === 0) response.destroy()
        else response.writeHead(500).end()
      })
      const config = { seeds: [site.url], workers: 2, retries: 0, maxPages, ignoreRobots: true }
      const { visits, summary } = await runAndLog(config)
      expect(visits).toHaveLength(maxPages)
      expect(summary.reason).toBe('max-pages')
    },
  )
})

describe('a URL that fails on a responding host', () => {
  it.each([0, 2])('fails after %i further attempts, without a wait', async (retries) => {
    const site = await serve((request, response) => {
      // On a reused connection, a reset may not be caused by the page, so it costs no attempt.
      const headers = { 'content-type': 'text/html', connection: 'close' }
      if (request.url === '/poison') response.destroy()
      else response.writeHead(200, headers).end('<a href=/poison>x</a>')
    })
    const { visits, warnings } = await runAndLog({ seeds: [site.url], workers: 1, retries })
    expect(visits).toMatchObject([
      { status: 200 },
      { attempts: retries + 1, error: { code: 'connection-reset' } },
    ])
    expect(warnings).toEqual([])
    const requested = site.requests.map(({ url }) => url)
    expect(requested.filter((url) => url === '/poison')).toHaveLength(retries + 1)
    expect(requested).toHaveLength(3 + retries + 1)
  })

  it('is given up if its host goes away each time', async () => {
    const site = await startVanishingSite(8, (self) => {
      if (self.requests.at(-1)?.url !== '/5') return
      self.leave()
      setTimeout(() => self.comeBack(), 300)
    })
    const { visits } = await runAndLog({ seeds: [site.url], workers: 1, retries: 0 })
    const failed = visits.filter(({ error }) => error !== undefined)
    expect(visits).toHaveLength(9)
    expect(paths(site, failed)).toContain('/5')
    expect(site.requests.filter(({ url }) => url === '/5').length).toBeLessThan(8)
  })
})
