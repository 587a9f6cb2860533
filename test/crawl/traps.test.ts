import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { countOf } from '../../src/english-text.ts'
import type { TrapLimits } from '../../src/traps/trap-limits.ts'
import { callCrawl } from '../support/call-cli.ts'
import type { CrawledSite } from '../support/crawl-site.ts'
import { type SiteServer, startServer } from '../support/site-server.ts'
import { chosen } from '../support/soak.ts'
import { QUICK_LIMITS } from '../traps/quick-limits.ts'
import { ARCHIVE_PAGES, archive } from './archive-site.ts'
import {
  besideArticles,
  DEEPENING_SITES,
  type EndlessSite,
  SESSION_SITES,
} from './endless-sites.ts'
import { LOOK_ALIKE_PATHS, lookAlike } from './look-alike-site.ts'
import { runAndLog } from './run-and-log.ts'
import { type Page, pageOf, TRAPS, withArticles } from './trap-sites.ts'

const ARTICLES = 40

/** A quarter of the evidence that other tests of traps require. */
const LIMITS: TrapLimits = {
  ...QUICK_LIMITS,
  ...{ window: 32, dullVisits: 16, suspectVisits: 50, trapVisits: 150, deepLinks: 25 },
  mazeVisits: 250,
}

function startSite(page: Page): Promise<SiteServer> {
  return startServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(page(request.url ?? '/'))
  })
}

/** Serves a site until the end of the test. */
async function serve(page: Page): Promise<SiteServer> {
  const server = await startSite(page)
  onTestFinished(() => server.close())
  return server
}

/** Crawls to the end, at any depth. */
async function crawlAll(site: SiteServer): Promise<CrawledSite> {
  const config = { seeds: [`${site.url}/`], workers: 1, depth: 100_000, perHost: 16 }
  const tuning = { trapLimits: LIMITS }
  const { visits, summary } = await runAndLog({ ...config, ignoreRobots: true }, tuning)
  const byPath = new Map(visits.map((visit) => [visit.url.slice(site.url.length), visit]))
  return { visits, byPath, summary }
}

function articlesOf({ byPath }: CrawledSite): number {
  return [...byPath.keys()].filter((path) => path.startsWith('/articles/')).length
}

/** Serves a relative link that lengthens each path, so much that the path doesn't fit into a line of the log. */
function serveDeepening(): Promise<SiteServer> {
  const page = pageOf(
    'Deep',
    '<p>Welcome to the directory of things</p><a href="of-things/">in</a>',
  )
  return serve(withArticles(1, '/deep/', () => page))
}

describe('a crawl', () => {
  it.each(TRAPS)(
    'leaves %s by itself, and loses no other page',
    async (_, pattern, entry, page) => {
      const site = await serve(withArticles(ARTICLES, entry, page))
      const crawled = await crawlAll(site)
      const { summary, visits } = crawled
      expect(summary.reason).toBe('finished')
      expect(articlesOf(crawled)).toBe(ARTICLES)
      expect(visits.length).toBeLessThan(1_000)
      const patterns = summary.traps.map((trap) => trap.pattern)
      expect(patterns).toContainEqual(expect.stringMatching(pattern))
      const dropped = summary.traps.reduce((sum, trap) => sum + trap.dropped, 0)
      expect(summary.skipped['trap']).toBe(dropped)
    },
  )

  it('loses no page of a large site with months, lists and pictures', async () => {
    const { byPath, summary } = await crawlAll(await serve(archive))
    expect(summary.traps).toEqual([])
    expect(byPath.size).toBe(ARCHIVE_PAGES)
  })
})

/** Maximum number of requests wasted on a site with ever new URLs for its pages. */
const MOST_LOST = 100

/** Sites that represent all: session ids in the query or the path, with or without a name, and repeated names. */
const SOME = [
  ...[';jsessionid=', 'an id in the path', '?PHPSESSID= on pages that show the time'],
  ...['a/index.html', 'three names in any order', 'pages that show their path'],
]

describe('a crawl of hosts with ever new URLs for the same pages', () => {
  const all = [...SESSION_SITES, ...DEEPENING_SITES]
  const ENDLESS_SITES = chosen(all, ({ name }) => SOME.includes(name))
  const sites = new Map<EndlessSite, SiteServer>()
  let crawled: Awaited<ReturnType<typeof runAndLog>>

  beforeAll(async () => {
    for (const endless of ENDLESS_SITES) {
      sites.set(endless, await startSite(besideArticles(endless, 5)))
    }
    const seeds = [...sites.values()].map(({ url }) => `${url}/`)
    const limits = { depth: 100_000, maxPerHost: 2_000 }
    crawled = await runAndLog({ seeds, workers: 1, ...limits, ignoreRobots: true })
  })

  afterAll(() => Promise.all([...sites.values()].map((site) => site.close())))

  it('ends, and counts the URLs that it skips as traps', () => {
    const { reason, traps, skipped } = crawled.summary
    expect(reason).toBe('finished')
    expect(skipped['trap']).toBe(traps.reduce((sum, trap) => sum + trap.dropped, 0))
  })

  it.each(ENDLESS_SITES)('wastes at most 100 requests, and loses no page: $name', (endless) => {
    const origin = `${sites.get(endless)?.url}/`
    const visits = crawled.visits.filter(({ url }) => url.startsWith(origin))
    const paths = visits.map(({ url }) => url.slice(origin.length - 1))
    const names = paths.filter((path) => path !== '/' && !path.startsWith('/articles/'))
    const pages = new Set(names.map((path) => endless.pageAt(path)))
    expect(pages.size).toBe(endless.pages)
    expect(names.length - pages.size).toBeLessThanOrEqual(MOST_LOST)
    expect(paths.length - names.length).toBe(1 + 5)
  })
})

describe('a crawl of pages with similar URLs', () => {
  it('loses no page', async () => {
    const site = await serve(lookAlike)
    const config = { seeds: [`${site.url}/`], workers: 1, depth: 100_000, ignoreRobots: true }
    const { visits, summary } = await runAndLog(config)
    const paths = visits.map(({ url }) => url.slice(site.url.length))
    expect(summary.traps).toEqual([])
    expect(paths.toSorted()).toEqual(LOOK_ALIKE_PATHS.toSorted())
  })
})

describe('the log of traps', () => {
  it('reports each trap with an example, in a log line and in the summary', async () => {
    const site = await serveDeepening()
    const args = [`${site.url}/`, '-d', '100000', '--per-host', '16', '-o', '-', '--ignore-robots']
    const { stderr } = await callCrawl(args)
    const lines = stderr.trim().split('\n')
    const { traps, skipped } = JSON.parse(lines.at(-1) ?? '')
    expect(traps).toHaveLength(1)
    expect(traps[0].pattern).toBe(`${new URL(site.url).host}/deep/...`)
    expect(traps[0].example).toContain(`${site.url}/deep/of-things/of-things/`)
    expect(skipped.trap).toBe(traps[0].dropped)
    const { dropped, example } = traps[0]
    const trapLine = `Trap: ${traps[0].pattern}, ${countOf(dropped, 'URL')} left out, such as ${example.slice(0, 200)}…`
    expect(lines.map((line) => JSON.parse(line).msg)).toContain(trapLine)
  })

  it('is empty with --no-traps, which skips nothing', async () => {
    const site = await serveDeepening()
    const args = [`${site.url}/`, '-d', '2000', '--max-pages', '100', '--per-host', '16']
    const { stderr, visits } = await callCrawl([...args, '--ignore-robots', '--no-traps'])
    expect(visits).toHaveLength(100)
    const { traps, skipped } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
    expect([traps, skipped.trap]).toEqual([[], undefined])
  })
})
