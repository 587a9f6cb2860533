import { resolveConfig } from '../../src/config/resolve-config.ts'
import { SeedHosts } from '../../src/fetch/addresses/seed-hosts.ts'
import { SeenCheck } from '../../src/fetch-worker/links/seen-check.ts'
import { SkipCounter } from '../../src/fetch-worker/links/skip-counter.ts'
import { ResponseParser } from '../../src/fetch-worker/parse/response-parser.ts'
import { Visitor } from '../../src/fetch-worker/visitor.ts'
import { ClaimLog } from '../../src/messages/claim-log.ts'
import { Counters } from '../../src/messages/counters.ts'
import type { Outcome } from '../../src/messages/outcome.ts'
import type { WorkerSetup } from '../../src/messages/worker-setup.ts'
import type { CrawlUrl } from '../../src/records/crawl-url.ts'
import type { Visit } from '../../src/records/visit.ts'
import { VisitRecord } from '../../src/records/visit-record.ts'
import { allocateSeenSet } from '../../src/seen/seen-set-lifecycle.ts'
import { hostKey } from '../../src/url/host-key.ts'
import { openTestFetcher } from '../fetch/open-test-fetcher.ts'
import type { RawServer } from '../support/raw-server.ts'
import { serveRaw } from '../support/serve.ts'

const memory = { name: 'exact', expectedUrls: 1_000, falsePositiveRate: 0.001 } as const
export const html = { 'content-type': 'text/html; charset=utf-8' }

export function setupFor(seed: string, changes: Partial<WorkerSetup>): WorkerSetup {
  return {
    ...resolveConfig({ retries: 0, timeout: '60s' }),
    worker: 1,
    owner: 1,
    headers: {},
    proxies: { except: [], exceptLoopback: false },
    certificates: undefined,
    family: undefined,
    headerOrigins: [],
    authorizations: {},
    cookies: undefined,
    seedHosts: SeedHosts.allocate([hostKey(seed)]),
    scope: { scope: 'host', seeds: [seed], include: [], exclude: [] },
    widened: [],
    seen: allocateSeenSet(memory),
    shorterPaths: allocateSeenSet(memory),
    countedSkips: allocateSeenSet(memory),
    textCounts: undefined,
    external: false,
    externalAssets: false,
    linkGraph: undefined,
    listsSkipped: true,
    keepsOutlinks: false,
    archives: false,
    digests: false,
    deterministic: false,
    defersSeenCheck: false,
    counters: Counters.allocate(1),
    claims: ClaimLog.allocate(),
    scannerKey: new Uint32Array(4),
    savesMemory: false,
    bodySlots: [],
    ...changes,
  }
}

/** Tools of a crawl that uses only the links of pages. */
const NOTHING = {
  ...{ extractor: undefined, fingerprint: undefined, findStyleAssets: undefined },
  sitemapParts: undefined,
}

/** Visits `url` as a worker does. Returns the outcome and its record. */
export async function visitUrl(
  url: string,
  from: Partial<CrawlUrl> = {},
  changes: Partial<WorkerSetup> = {},
) {
  const setup = setupFor(url, changes)
  const log = new ClaimLog(setup.claims, () => {})
  const reader = new ResponseParser(setup, new SeenCheck(setup, log), NOTHING)
  const visitor = new Visitor(setup, {
    fetcher: openTestFetcher({ ...setup, bodySlots: [] }),
    parser: reader,
    skips: new SkipCounter(setup, log),
    onCut() {},
  })
  const crawlUrl: CrawlUrl = {
    ...{
      id: 7,
      url,
      depth: 0,
      sameDepthHops: 0,
      redirects: 0,
      hop: 'seed',
      attempt: 1,
      failures: 0,
      keepLinks: false,
    },
    ...from,
  }
  const outcome = await visitor.visit(crawlUrl)
  return { outcome, record: recordOf(crawlUrl, outcome) }
}

function recordOf(crawlUrl: CrawlUrl, outcome: Outcome): Visit | undefined {
  if (outcome.type === 'postponed') return undefined
  return JSON.parse(VisitRecord.of(crawlUrl, outcome.fields).line)
}

export function serveBytes(bytes: string | Buffer): Promise<RawServer> {
  return serveRaw((socket) => socket.end(bytes, 'utf8'))
}

/** Returns the fields of an outcome that follows a redirect. */
export const to = (url: string) => ({ sameDepth: [{ hop: 'redirect', urls: [url] }] })
