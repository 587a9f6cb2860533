import { getHeapStatistics } from 'node:v8'
import { workerData } from 'node:worker_threads'
import { CookieJar } from '../cookies/cookie-jar.ts'
import { fingerprintFor } from '../duplicates/page-fingerprint.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import { openFetcher } from '../fetch/open-fetcher.ts'
import type { CookieStore } from '../fetch/request-headers.ts'
import type { ClaimLog } from '../messages/claim-log.ts'
import { Counters } from '../messages/counters.ts'
import { Pulse } from '../messages/pulse.ts'
import type { CoordinatorMessage } from '../messages/to-worker.ts'
import type { ThreadSetup, WorkerSetup } from '../messages/worker-setup.ts'
import type { BodyWriter } from '../mirror/body-writer.ts'
import { PageExtractor } from '../page-data/page-extractor.ts'
import { collectEagerly } from '../runtime/collect-garbage.ts'
import { HeapTrimmer } from '../runtime/heap-trimmer.ts'
import { BodySlots } from '../runtime/shared-body-memory.ts'
import { RequestLimits } from '../throttle/request-limits.ts'
import { archiveExchange } from '../warc/archive-exchange.ts'
import { FetchThread } from './fetch-thread.ts'
import { HostProbe } from './host-probe.ts'
import { SeenCheck } from './links/seen-check.ts'
import { SkipCounter } from './links/skip-counter.ts'
import { Outbox } from './outbox.ts'
import { ResponseParser } from './parse/response-parser.ts'
import { RenderRequests } from './rendering/render-requests.ts'
import { ResourceFetcher } from './rendering/resource-fetcher.ts'
import { RobotsFetcher } from './robots-fetcher.ts'
import { SitemapParts } from './sitemap-parts.ts'
import { Visitor } from './visitor.ts'

// The entry point of a fetch worker, which receives URLs from the main thread and sends outcomes back.
void start(takeSetup())

/** Returns the setup. Hooks run in this thread, too, so its shared memory, its port and the logins are hidden from them. */
function takeSetup(): ThreadSetup {
  const setup = { ...workerData }
  for (const name of Object.keys(workerData)) delete workerData[name]
  return setup
}

/** Opens the parts of the worker, and reports that it is ready for URLs. */
async function start(setup: ThreadSetup): Promise<void> {
  if (setup.savesMemory) collectEagerly()
  const outbox = new Outbox(setup)
  const bodies = await openBodies(setup)
  const parts = openParts(setup, outbox, bodies)
  if (setup.hooks !== undefined) outbox.post({ type: 'importing' })
  const parser = await openParser(setup, outbox.claims, parts.sitemapParts)
  const visitor = new Visitor(setup, { ...parts, parser, bodies })
  const thread = new FetchThread(setup, { ...parts, parser, visitor })
  setup.port.on('message', (message: CoordinatorMessage) => thread.handle(message))
  new HeapTrimmer()
  outbox.post({ type: 'ready', heapLimit: getHeapStatistics().heap_size_limit })
}

/** Opens the parts whose code is always loaded. */
function openParts(setup: ThreadSetup, outbox: Outbox, bodies: BodyWriter | undefined) {
  const { claims } = outbox
  const post = outbox.post.bind(outbox)
  const counters = new Counters(setup.counters)
  const jar = setup.cookies && new CookieJar(setup.cookies)
  const limits = RequestLimits.open(setup, setup, setup.owner)
  const fetcher = openWorkerFetcher(setup, limits, jar && sharedCookies(jar, outbox), bodies)
  const skips = new SkipCounter(setup, claims)
  return {
    counters,
    fetcher,
    jar,
    limits,
    outbox,
    skips,
    onCut: () => counters.add(setup.worker, 'cut', 1),
    probe: new HostProbe(fetcher, setup.maxRetryAfter),
    pulse: new Pulse(setup.pulse),
    renderRequests: setup.render === 'never' ? undefined : new RenderRequests(setup, post),
    resources: new ResourceFetcher(fetcher, setup),
    robots: new RobotsFetcher(fetcher, setup.userAgent, setup.maxRetryAfter),
    // If links are checked with the outcome of their page, all of them have to be in it.
    sitemapParts: setup.defersSeenCheck ? undefined : new SitemapParts(skips, claims, post),
  }
}

function openWorkerFetcher(
  setup: WorkerSetup,
  limits: RequestLimits | undefined,
  cookies: CookieStore | undefined,
  bodies: BodyWriter | undefined,
): Fetcher {
  const options = {
    ...setup,
    bodySlots: setup.bodySlots.map((memory) => new BodySlots(memory, setup.owner)),
    limits,
    keepsBody: bodies?.isWanted,
    keepsLoadingFiles: setup.assets,
    keepsStarts: setup.linkGraph === 'anchors',
    // A hook that timed out may still use the body of its page.
    reusesBodies: setup.hooks === undefined,
    archive: setup.archives ? archiveExchange : undefined,
  }
  return openFetcher(options, cookies)
}

/** Returns the store of cookies of this worker, which sends new ones to the other workers. */
function sharedCookies(jar: CookieJar, outbox: Outbox): CookieStore {
  return {
    headerFor: (url) => jar.headerFor(url),
    store(url, setCookies) {
      jar.store(url, setCookies)
      outbox.post({ type: 'cookies', url, setCookies })
    },
  }
}

/** Opens the parser, with the code that only some crawls need. */
async function openParser(
  setup: WorkerSetup,
  claims: ClaimLog,
  sitemapParts: SitemapParts | undefined,
): Promise<ResponseParser> {
  return new ResponseParser(setup, new SeenCheck(setup, claims), {
    extractor: await PageExtractor.open(setup),
    fingerprint: await fingerprintFor(setup, setup.seen.key),
    sitemapParts,
    findLoadedAssets: setup.assets
      ? (await import('../html/loaded-assets/page-assets.ts')).findLoadedAssets
      : undefined,
  })
}

async function openBodies({ bodies, owner }: WorkerSetup): Promise<BodyWriter | undefined> {
  if (bodies === undefined) return undefined
  const { BodyWriter } = await import('../mirror/body-writer.ts')
  return new BodyWriter(bodies, owner)
}
