import { describe, expect, it } from 'vitest'
import { LinkFilter } from '../../../src/fetch-worker/links/link-filter.ts'
import { LinkGraphEdges } from '../../../src/fetch-worker/links/link-graph-edges.ts'
import { LinkRules } from '../../../src/fetch-worker/links/link-rules.ts'
import { SeenCheck } from '../../../src/fetch-worker/links/seen-check.ts'
import { SkipCounter } from '../../../src/fetch-worker/links/skip-counter.ts'
import { PageReader } from '../../../src/fetch-worker/page/page-reader.ts'
import { ReferencePageReader } from '../../../src/fetch-worker/page/reference-page-reader.ts'
import { parsePage } from '../../../src/fetch-worker/parse/parse-page.ts'
import { BoilerplateDetector } from '../../../src/html/boilerplate/boilerplate-detector.ts'
import { TextCountTable } from '../../../src/html/boilerplate/text-count-table.ts'
import { findStyleAssets } from '../../../src/html/style-sheet/page-styles.ts'
import { ClaimLog } from '../../../src/messages/claim-log.ts'
import { Counters } from '../../../src/messages/counters.ts'
import type { WorkerSetup } from '../../../src/messages/worker-setup.ts'
import { PageExtractor } from '../../../src/page-data/page-extractor.ts'
import type { CrawlUrl } from '../../../src/records/crawl-url.ts'
import type { SeenName } from '../../../src/seen/seen-set.ts'
import { allocateSeenSet } from '../../../src/seen/seen-set-lifecycle.ts'
import { CANONICAL_RULES } from '../../../src/url/canonical-rules.ts'
import { seededRandom } from '../../support/random.ts'
import { IN_SOAK } from '../../support/soak.ts'
import { setupFor } from '../visit-url.ts'

const SITE = 'http://a.test/'
const SCOPE = { scope: 'host', seeds: [SITE], include: [], exclude: ['/private/'] } as const
const URLS = [SITE, `${SITE}x/`, `${SITE}x/page`, `${SITE}x/y/deep?sid=0123456789abcdef0123456789`]
const HEADS = [
  ...['', '', '', '', '<base href="/x/y/">', '<base href="//b.test/">', '<meta charset=shift_jis>'],
  ...['<meta name=robots content=nofollow>', '<meta http-equiv=refresh content="3; url=../later">'],
]
const HREFS = [
  ...['page', '/x/page', './', '../', '?', '#top', 'page#top', '//b.test/', '//c.test/x', ''],
  ...[
    'mailto:x',
    'http://[',
    '/private/x',
    'p%41ge',
    'a?b&amp;c',
    'A/INDEX.html',
    'A/',
    '?utm_source=x',
  ],
]
const HEADERS = [{}, {}, {}, { link: '</of/header>; rel=next, <//d.test/>; rel=me' }]

const PLACE = { redirects: 0, failures: 0, hop: 'link' } as const
const RESPONSE = { status: 200, ms: 1, truncated: false, endsEarly: false, release() {} }

/** Returns a random page, found at a random place of the crawl. */
function randomVisit(random: () => number, id: number) {
  const any = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T
  const links = Array.from({ length: 12 }, () => {
    const href = random() < 0.3 ? `/${Math.floor(random() * 40)}` : any(HREFS)
    const tag = random() < 0.2 ? `<img src="${href}">` : `<a href="${href}">`
    if (random() < 0.1)
      return `<i style="background: url('/styles/${Math.floor(random() * 40)}')"></i>`
    return random() < 0.1 ? tag.replace('>', ' rel=nofollow>') : tag
  })
  const body = Buffer.from(`${any(HEADS)}<title>Page ${id}</title>${links.join('\n')}`)
  const depth = Math.floor(random() * 5)
  const [attempt, keepLinks] = [random() < 0.1 ? 2 : 1, random() < 0.2]
  const sameDepthHops = any([0, 0, 16])
  const crawlUrl: CrawlUrl = {
    ...PLACE,
    id,
    url: any(URLS),
    depth,
    sameDepthHops,
    attempt,
    keepLinks,
  }
  const contentType = { type: 'text/html', charset: 'utf-8' }
  const headers = any(HEADERS)
  return { crawlUrl, response: { ...RESPONSE, headers, contentType, body, bytes: body.length } }
}

type PageVisit = ReturnType<typeof randomVisit>

/** A worker with its own memory, as far as it processes pages. */
class Worker {
  readonly #counters: Counters
  readonly #tools
  readonly #skipCounter: SkipCounter
  /** The smallest depth of each URL that was reported to the main thread. */
  readonly depths = new Map<string, number>()

  constructor(
    changes: Partial<WorkerSetup>,
    name: SeenName,
    isFast: boolean,
    extractor?: PageExtractor,
  ) {
    const memory = { name, expectedUrls: 9_999, falsePositiveRate: 1e-9 }
    const setup = setupFor(SITE, {
      ...{ scope: SCOPE, depth: 3, ...changes },
      ...{ seen: allocateSeenSet(memory), shorterPaths: allocateSeenSet(memory) },
      ...{ countedSkips: allocateSeenSet(memory), textCounts: TextCountTable.allocate() },
    })
    this.#counters = new Counters(setup.counters)
    const log = new ClaimLog(setup.claims, () => {})
    const rules = new LinkRules(setup)
    const filter = new LinkFilter(rules)
    const boilerplate =
      setup.textCounts && new BoilerplateDetector(new TextCountTable(setup.textCounts))
    const options = { productToken: 'orbweaver', assets: setup.assets, boilerplate }
    const reference = new ReferencePageReader(filter, options)
    this.#tools = {
      ...{ rules, filter, seenCheck: new SeenCheck(setup, log), maxRedirects: 5, traps: true },
      ...{ sitemaps: false, sitemapSince: undefined, linkGraph: LinkGraphEdges.open(setup) },
      ...{ fingerprint: undefined, extractor, productToken: 'orbweaver' },
      sitemapParts: undefined,
      findStyleAssets: setup.assets ? findStyleAssets : undefined,
      pageReader: isFast
        ? new PageReader(setup, rules, filter, extractor !== undefined)
        : { read: reference.read.bind(reference), forget() {} },
    }
    this.#skipCounter = new SkipCounter(setup, log)
  }

  async visit({ crawlUrl, response }: PageVisit) {
    const deepest = Math.max(this.#counters.deepest, crawlUrl.depth)
    this.#counters.deepest = deepest
    const { fields, findings, skips, rewrites } = await parsePage(crawlUrl, response, this.#tools)
    const { discovered, nearer, ...others } = findings
    for (const url of [...discovered, ...nearer]) {
      const depth = Math.min(this.depths.get(url) ?? 99, crawlUrl.depth + 1)
      this.depths.set(url, depth)
    }
    const { counts, skipped } = this.#skipCounter.count(crawlUrl, skips, rewrites)
    // If the main thread counts skipped links, it also removes repeated ones.
    const skipTexts = [...new Set(skipped.map(({ url, reason }) => `${reason} ${url}`))].sort()
    return { fields, discovered, others, counts: counts ?? {}, skipTexts }
  }

  /** Forgets all links, as after the scope has grown. */
  forget(): void {
    this.#tools.pageReader.forget()
  }

  /** Begins a generation of the seen set. */
  renewSeen(): void {
    this.#counters.renewSeen()
  }

  get counted() {
    return (['setSize', 'duplicate'] as const).map((name) => this.#counters.read(1, name))
  }
}

const ARMS: readonly (readonly [string, Partial<WorkerSetup>, SeenName])[] = [
  ['by default', {}, 'bloom'],
  ['with assets', { assets: true }, 'exact'],
  ['with links out of the scope', { external: true, assets: true }, 'bloom'],
  ['with rules that merge URLs', { canonicalize: CANONICAL_RULES }, 'exact'],
  ['without robots', { ignoreRobots: true }, 'bloom'],
  ['with a seen set that forgets old URLs', {}, 'bloom-aging'],
  ['with a seen set that supports removal', {}, 'bloom-counting'],
  ['when the main thread checks links', { defersSeenCheck: true }, 'exact'],
  ['when an output keeps all links', { keepsOutlinks: true, linkGraph: 'texts' }, 'exact'],
]

const PAGES = IN_SOAK ? 300 : 80

describe('a worker that reads pages with the WebAssembly scanner', () => {
  it.each(ARMS)(
    'finds, %s, what a worker that reads all pages in TypeScript finds',
    async (_, changes, name) => {
      const random = seededRandom(7)
      const workers = [new Worker(changes, name, true), new Worker(changes, name, false)] as const
      for (let id = 1; id <= PAGES; id++) {
        const visit = randomVisit(random, id)
        if (id === PAGES / 2) for (const worker of workers) worker.renewSeen()
        const [fast, reference] = await Promise.all(workers.map((worker) => worker.visit(visit)))
        expect(fast).toEqual(reference)
        expect(workers[0].depths).toEqual(workers[1].depths)
      }
      expect(workers[0].counted).toEqual(workers[1].counted)
    },
  )

  it('confuses no URLs if its memory is cleared while data is extracted', async () => {
    const setup = setupFor(SITE, { text: true })
    const worker = new Worker({ depth: 1 }, 'bloom', true, await PageExtractor.open(setup))
    const visit = (id: number, depth: number, html: string) => {
      const { crawlUrl, response } = randomVisit(seededRandom(id), id)
      const body = Buffer.from(html)
      const place = { url: SITE, depth, sameDepthHops: 0, attempt: 1, keepLinks: false }
      return worker.visit({
        crawlUrl: { ...crawlUrl, ...place },
        response: { ...response, headers: {}, body },
      })
    }
    const atDepthLimit = visit(1, 1, '<a href=a><a href=b>')
    worker.forget()
    await atDepthLimit
    const { discovered } = await visit(2, 0, '<a href=x><a href=y>')
    expect(discovered).toEqual([`${SITE}x`, `${SITE}y`])
  })
})
