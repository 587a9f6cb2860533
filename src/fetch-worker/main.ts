// Hooks may replace the global `setImmediate`, as libraries that fake time do.
import { setImmediate } from 'node:timers'
import { getHeapStatistics } from 'node:v8'
import { workerData } from 'node:worker_threads'
import PQueue from 'p-queue'
import { CookieJar } from '../cookies/cookie-jar.ts'
import { fingerprintFor } from '../duplicates/page-fingerprint.ts'
import { openFetcher } from '../fetch/open-fetcher.ts'
import { ClaimLog } from '../messages/claim-log.ts'
import { Counters } from '../messages/counters.ts'
import type {
  CoordinatorMessage,
  Outcome,
  ProbeRequest,
  ResourceRequest,
  RobotsRequest,
  WorkerMessage,
} from '../messages/messages.ts'
import { packOutcomes } from '../messages/outcome-text.ts'
import { Pulse } from '../messages/pulse.ts'
import type { ThreadSetup, WorkerSetup } from '../messages/worker-setup.ts'
import type { BodyFiles } from '../mirror/body-files.ts'
import { PageExtractor } from '../page-data/page-extractor.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import { collectEagerly } from '../runtime/collect-garbage.ts'
import { HeapTrimmer } from '../runtime/heap-trimmer.ts'
import { BodySlots } from '../runtime/shared-body-memory.ts'
import { RequestLimits } from '../throttle/request-limits.ts'
import { RequestNotSent } from '../throttle/request-not-sent.ts'
import { hostKey } from '../url/host-key.ts'
import { archiveExchange } from '../warc/archive-exchange.ts'
import { HostProbe } from './host-probe.ts'
import { SeenCheck } from './links/seen-check.ts'
import { SkipCounter } from './links/skip-counter.ts'
import { archivedIn, Outbox } from './outbox.ts'
import { PageRenders } from './page-renders.ts'
import { ResponseParser } from './parse/response-parser.ts'
import { ResourceFetcher } from './resource-fetcher.ts'
import { RobotsFetcher } from './robots-fetcher.ts'
import { SitemapParts } from './sitemap-parts.ts'
import { VisitQueue } from './visit-queue.ts'
import { Visitor } from './visitor.ts'

/** Bytes of garbage that trigger a collection. Collecting less at a time costs more time. */
const HEAP_GROWTH = 10 * 2 ** 20

/** The entry point of a fetch worker, which receives URLs from the main thread and sends outcomes back. */
const setup: ThreadSetup = { ...workerData }
// Hooks run in this thread, too. They must not get its shared memory, its port or the logins.
for (const name of Object.keys(workerData)) delete workerData[name]
if (setup.savesMemory) collectEagerly()
const pulse = new Pulse(setup.pulse)
const counters = new Counters(setup.counters)
const jar = setup.cookies && new CookieJar(setup.cookies)
const bodySlots = setup.bodySlots.map((memory) => new BodySlots(memory, setup.owner))
/** The files of `--save-bodies`, opened before the first visit. */
let bodies: BodyFiles | undefined
const limits = RequestLimits.open(setup, setup, setup.owner)
const fetcher = openFetcher(
  {
    ...setup,
    bodySlots,
    limits,
    keepsBody: setup.bodies && ((url, type) => bodies?.isWanted(url, type) === true),
    keepsStyleSheets: setup.assets,
    keepsStarts: setup.linkGraph === 'anchors',
    // A hook that timed out may still use the body of its page.
    reusesBodies: setup.hooks === undefined,
    archive: setup.archives ? archiveExchange : undefined,
  },
  jar && {
    headerFor: (url) => jar.headerFor(url),
    take(url, setCookies) {
      jar.take(url, setCookies)
      post({ type: 'cookies', url, setCookies })
    },
  },
)
const claims = new ClaimLog(setup.claims, (older) => {
  post({ type: 'claims', ...older }, [older.entries.buffer])
})
const renders = setup.render === 'never' ? undefined : new PageRenders(setup, post)
const skips = new SkipCounter(setup, claims)
// If links are checked with the outcome of their page, all of them have to be in it.
const sitemapParts = setup.defersSeenCheck ? undefined : new SitemapParts(skips, claims, post)
const robots = new RobotsFetcher(fetcher, setup.userAgent, setup.maxRetryAfter)
const resources = new ResourceFetcher(fetcher, setup)
const probe = new HostProbe(fetcher, setup.maxRetryAfter)
const areRecordsFinal = !changesRecords(setup)
const outbox = new Outbox((outcomes) => {
  const message = packOutcomes(outcomes, areRecordsFinal)
  post(message, archivedIn(message.others))
  for (const { crawlUrl } of outcomes) claims.reported(crawlUrl.id)
})
const requests = new PQueue({ concurrency: setup.concurrency })
/** The queue for resources of rendered pages. Pages that wait for resources must not block them. */
const loads = new PQueue({ concurrency: setup.concurrency })

void open()

/** Loads the parts that only some crawls need, and reports that the worker is ready for URLs. */
async function open(): Promise<void> {
  if (setup.hooks !== undefined) post({ type: 'importing' })
  const parser = new ResponseParser(setup, new SeenCheck(setup, claims), {
    extractor: await PageExtractor.open(setup),
    fingerprint: await fingerprintFor(setup.contentDedup, setup.seen.key),
    sitemapParts,
    // Loaded only with `--assets`.
    findStyleAssets: setup.assets
      ? (await import('../html/style-sheet/page-styles.ts')).findStyleAssets
      : undefined,
  })
  bodies = await openBodies(setup)
  const onCut = () => counters.add(setup.worker, 'cut', 1)
  const visitor = new Visitor(setup, { fetcher, parser, skips, bodies, renders, onCut })
  const visits: VisitQueue = new VisitQueue(requests, (crawlUrl) =>
    visit(crawlUrl, visitor, visits),
  )
  setup.port.on('message', (message: CoordinatorMessage) => take(message, parser, visits))
  new HeapTrimmer(HEAP_GROWTH)
  post({ type: 'ready', heapLimit: getHeapStatistics().heap_size_limit })
}

/** Handles a message from the main thread. */
function take(message: CoordinatorMessage, parser: ResponseParser, visits: VisitQueue): void {
  pulse.beat()
  switch (message.type) {
    case 'visit':
      reportUnsent(message.crawlUrls.filter((each) => !visits.add(each)).map(({ id }) => id))
      break
    case 'recall':
      reportUnsent(visits.recall(message.host))
      break
    case 'robots':
      requests.add(() => unlessStopped(fetchRobots(message)))
      break
    case 'probe':
      requests.add(() => unlessStopped(sendProbe(message)))
      break
    case 'resource':
      loads.add(() => unlessStopped(fetchResource(message)))
      break
    case 'rendered':
      renders?.rendered(message.id, message.result)
      break
    case 'part-added':
      sitemapParts?.added(message.id)
      break
    case 'widen':
      parser.widen(message.url)
      break
    case 'login-pages':
      parser.excludeLoginPages(message.urls)
      break
    case 'cookies':
      jar?.take(message.url, message.setCookies)
      break
    case 'ping':
      break
    case 'stop':
      limits?.close()
      reportUnsent(visits.recall())
      break
    case 'end':
      setup.port.close()
      void fetcher.close()
      break
  }
}

/** Reports URLs that were not requested, so that the main thread assigns them again. */
function reportUnsent(ids: readonly number[]): void {
  for (const id of ids) post({ type: 'unsent', id })
}

async function openBodies({ bodies, owner }: WorkerSetup) {
  if (bodies === undefined) return undefined
  const files = await import('../mirror/body-files.ts')
  return new files.BodyFiles(bodies, owner)
}

/** Returns whether the main thread may change records before it writes them. */
function changesRecords({ contentDedup, defersSeenCheck, render }: WorkerSetup): boolean {
  return contentDedup !== undefined || defersSeenCheck || render !== 'never'
}

/** Starts a visit. Resolves when another visit may begin: this one has ended, or waits for a browser. */
function visit(crawlUrl: CrawlUrl, visitor: Visitor, visits: VisitQueue): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  // An error ends the worker, even if it occurs after the promise has resolved.
  void visitToEnd(crawlUrl, visitor, visits, resolve).then(resolve)
  return promise
}

async function visitToEnd(
  crawlUrl: CrawlUrl,
  visitor: Visitor,
  visits: VisitQueue,
  onWait: () => void,
): Promise<void> {
  try {
    const outcome = await visitor.visit(crawlUrl, onWait)
    report(crawlUrl, outcome)
    const { retryAfter = 0 } = outcome
    if (retryAfter > 0) pauseHost(crawlUrl.url, retryAfter, visits)
  } catch (error) {
    if (!(error instanceof RequestNotSent)) throw error
    reportUnsent([crawlUrl.id])
  }
}

/**
 * Pauses a host that requested it. The URLs of the host that wait here go back to the main thread, as do those that
 * arrive before the main thread knows of the pause.
 */
function pauseHost(url: string, ms: number, visits: VisitQueue): void {
  // In a deterministic order, the outcomes of later URLs would have to wait for a returned URL until the pause is over.
  if (setup.deterministic) return
  const ids = visits.pause(hostKey(url), ms)
  // Sent after the outcome. Otherwise the main thread would assign the URLs again before it knows of the pause.
  setImmediate(() => reportUnsent(ids))
}

/** Waits for a request. If the crawl stops before the request is sent, no reply is needed. */
async function unlessStopped(request: Promise<void>): Promise<void> {
  try {
    await request
  } catch (error) {
    if (!(error instanceof RequestNotSent)) throw error
  }
}

function report(crawlUrl: CrawlUrl, outcome: Outcome): void {
  pulse.beat()
  if (outcome.type === 'visited') counters.add(setup.worker, 'fetched', 1)
  if (outcome.type === 'failed') counters.add(setup.worker, 'failed', 1)
  outbox.put(crawlUrl, outcome)
}

async function fetchRobots(request: RobotsRequest): Promise<void> {
  post({ type: 'robots', origin: request.origin, reply: await robots.fetch(request) })
}

async function sendProbe(request: ProbeRequest): Promise<void> {
  post({ type: 'probe', host: request.host, reply: await probe.send(request) })
}

async function fetchResource(request: ResourceRequest): Promise<void> {
  post(await resources.fetch(request))
}

function post(message: WorkerMessage, transfer: readonly ArrayBuffer[] = []): void {
  setup.port.postMessage(message, transfer)
}
