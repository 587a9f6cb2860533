import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { ConfigInput } from '../../src/config/schema.ts'
import { serve } from '../support/serve.ts'
import type { SiteServer } from '../support/site-server.ts'
import { runAndLog } from './run-and-log.ts'

const COUNT = 30
const paths = Array.from({ length: COUNT }, (_, index) => `/${index}`)
const links = (urls: readonly string[]) => urls.map((url) => `<a href="${url}">x</a>`).join('')

/** Starts a site whose pages succeed or fail, each request after a different time. */
async function startSite(statusOf: (page: number) => number, host: string): Promise<SiteServer> {
  const server = await serve(async ({ url = '' }, response) => {
    await sleep(Math.random() * 15)
    const status = url === '/' ? 200 : statusOf(Number(url.slice(1)))
    response.writeHead(status, { 'content-type': 'text/html' }).end(links(paths))
  }, host)
  return server
}

async function crawl(servers: readonly SiteServer[], config: ConfigInput) {
  const seeds = servers.map(({ url }) => `${url}/`)
  const { visits, skips } = await runAndLog({ seeds, deterministic: true, retries: 0, ...config })
  return { visits, skips }
}

describe('a deterministic crawl', () => {
  it('gives a host up at the same page, in whatever order its responses arrive', async () => {
    // In order, there are never three failures in a row before page 15.
    const flaky = await startSite((page) => (page < 15 && page % 3 === 0 ? 200 : 500), '127.0.0.2')
    const sound = await startSite(() => 200, '127.0.0.3')
    const settings = { maxHostErrors: 3, ignoreRobots: true }
    const first = await crawl([flaky, sound], { ...settings, workers: 1, perHost: 3 })
    const second = await crawl([flaky, sound], {
      ...settings,
      workers: 2,
      concurrency: 4,
      perHost: 20,
    })
    expect(second).toEqual(first)
    const ofFlaky = (url: string) => url.startsWith(flaky.url)
    const fetched = first.visits.filter(({ url }) => ofFlaky(url)).map(({ url }) => url)
    // The last successful page is page 12; 13, 14 and 15 are three failures in a row.
    expect(fetched).toEqual(['/', ...paths.slice(0, 16)].map((path) => flaky.url + path))
    const lost = first.skips.filter(({ url, reason }) => ofFlaky(url) && reason === 'host-failed')
    expect(lost.length).toBe(COUNT - 16)
  })

  it('counts the skipped links of the pages that it keeps, as --skipped lists them', async () => {
    const server = await serve(async ({ url = '' }, response) => {
      await sleep(Math.random() * 15)
      const status = url === '/' || Number(url.slice(1)) > 9 ? 200 : 500
      // Each page links to a URL of its own and to a common one.
      const outside = links([`http://elsewhere.test${url}`, 'http://elsewhere.test/all'])
      response.writeHead(status, { 'content-type': 'text/html' }).end(links(paths) + outside)
    })
    const settings = { seeds: [`${server.url}/`], deterministic: true, retries: 0, perHost: 20 }
    const given = { ...settings, maxHostErrors: 3, ignoreRobots: true }
    const { skips, summary } = await runAndLog(given)
    const listed = Object.entries(Object.groupBy(skips, ({ reason }) => reason))
    const counts = Object.fromEntries(listed.map(([reason, each]) => [reason, each?.length]))
    expect(summary.skipped).toEqual(counts)
    expect(summary.skipped['out-of-scope']).toBe(2)
  })

  it('skips URLs with session ids from the same page on', async () => {
    const [name, page] = ['/s/page', (path: string) => Number(path.match(/page(\d+)/)?.[1] ?? 0)]
    const server = await serve(async ({ url = '' }, response) => {
      await sleep(Math.random() * 15)
      // The ids are the same each time, since two crawls are compared.
      const links = Array.from({ length: 6 }, (_, to) => {
        const id = createHash('md5').update(`${url} ${to}`).digest('hex')
        return `<a href="${name}${to}?sid=${id}">${to}</a>`
      })
      response.setHeader('content-type', 'text/html')
      response.end(`<p>${'abcdef'.charAt(page(url))}</p>${links.join('')}`)
    })
    const settings = { depth: 50, maxPages: 2_000, ignoreRobots: true }
    const first = await crawl([server], { ...settings, workers: 1, perHost: 3 })
    expect(first.visits.length).toBeLessThan(100)
    expect(new Set(first.visits.map(({ url }) => page(url))).size).toBe(6)
    expect(first.skips.filter(({ reason }) => reason === 'trap')).toHaveLength(first.skips.length)
    expect(await crawl([server], { ...settings, workers: 2, concurrency: 4, perHost: 20 })).toEqual(
      first,
    )
  })

  it('ends at the same page with --max-pages, and requests no more', async () => {
    const servers = [
      await startSite(() => 200, '127.0.0.2'),
      await startSite(() => 200, '127.0.0.3'),
    ]
    const settings = { maxPages: 25, ignoreRobots: true }
    const first = await crawl(servers, { ...settings, workers: 1, perHost: 2 })
    const second = await crawl(servers, { ...settings, workers: 2, concurrency: 1 })
    expect(second).toEqual(first)
    expect(first.visits.length).toBe(25)
    expect(servers.flatMap(({ requests }) => requests).length).toBe(50)
  })
})
