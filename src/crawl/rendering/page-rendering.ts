import { availableParallelism } from 'node:os'
import { CrawlerError } from '../../errors.ts'
import { needsExchanges, type OutputSettings } from '../../formats/choose-format.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import type { HostReport } from '../../frontier/hosts/host-health.ts'
import type { Logger } from '../../logger.ts'
import type { CrawlLogin } from '../../login/crawl-login.ts'
import { LogoutLinks } from '../../login/logout-links.ts'
import type { RenderRequest, ResourceFetched } from '../../messages/from-worker.ts'
import type { RenderEvent, RenderResult } from '../../messages/render-messages.ts'
import type { RenderReply, ResourceRequest } from '../../messages/to-worker.ts'
import type { IncomingFolder } from '../../records/incoming-file.ts'
import { findBrowser } from '../../render/browser/find-browser.ts'
import { RenderOrder } from '../../render/render-order.ts'
import type { ResourceReply } from '../../render/rendered-page.ts'
import type { CommitBarrier } from '../../state/commit-barrier.ts'
import { canonicalize } from '../../url/canonicalize.ts'
import { ScopePatterns } from '../../url/scope-patterns.ts'
import type { LoadedResources } from '../outcomes/loaded-resources.ts'
import type { DecisionLog } from '../stats/decision-log.ts'
import type { Tuning } from '../tuning.ts'
import type { RenderLearning } from './render-learning.ts'
import { RenderThread } from './render-thread.ts'
import { ResourceRetries } from './resource-retries.ts'

/** Number of pages to render at a time for each core: pages wait most of the time. */
const PAGES_PER_CORE = 4
const MAX_PAGES = 16

interface RenderingParts {
  readonly barrier: CommitBarrier
  readonly config: OutputSettings & {
    readonly browser?: string | undefined
    readonly exclude: readonly string[]
    readonly excludePath: readonly string[]
    readonly interact: boolean
    readonly maxBody: number
    readonly renderTimeout: number
    readonly retries: number
  }
  readonly decisions: DecisionLog | undefined
  readonly frontier: Pick<Frontier, 'completion' | 'resources' | 'settleOrder'>
  readonly learning: RenderLearning
  readonly logger: Logger
  readonly login: Pick<CrawlLogin, 'form' | 'pages'> | undefined
  /** Receives the resources of pages for the archive, if there is one. */
  readonly loaded: LoadedResources
  /** Folder for screenshots; undefined if no output saves them. */
  readonly screenshots: IncomingFolder | undefined
  readonly tuning: Pick<Tuning, 'random'>
}

/** Steps of the crawl after an event of the render thread. */
interface RenderingEvents {
  /** Hands out requests. */
  pump(): void
  /** Ends the crawl with an error. */
  fail(error: Error): void
}

type LoadEvent = Extract<RenderEvent, { type: 'load' }>
type Reply = (reply: RenderReply) => void

/** A page that may be rendered. */
interface Candidate {
  readonly request: RenderRequest
  readonly reply: Reply
}

/** A request of a page, and the thread that waits for the response. */
interface Loading {
  readonly thread: RenderThread
  readonly id: number
  readonly url: string
  /** The request to the crawler; undefined if it was refused at once. */
  request?: ResourceRequest
  /** Number of failed attempts. */
  failures: number
}

/** Has pages of the workers rendered, and has the workers fetch the resources that these pages load. */
export class PageRendering {
  readonly #parts: RenderingParts
  readonly #events: RenderingEvents
  readonly #browser: string
  readonly #patterns: ScopePatterns
  readonly #logout: LogoutLinks | undefined
  readonly #pages = new Map<number, Reply>()
  /** Pages on which the decision is still open. */
  readonly #candidates = new RenderOrder<number, Candidate>()
  readonly #loading = new Map<number, Loading>()
  readonly #retries: ResourceRetries
  #thread: RenderThread | undefined
  #lastLoad = 0
  #hasWarnedOfLogin = false
  #isClosed = false

  /** @throws CrawlerError('usage') if there is no browser */
  constructor(parts: RenderingParts, events: RenderingEvents) {
    this.#parts = parts
    this.#events = events
    this.#browser = findBrowser(parts.config.browser)
    this.#logout = parts.login && new LogoutLinks(parts.login.form.url)
    const { exclude, excludePath, retries } = parts.config
    this.#retries = new ResourceRetries({ retries, random: parts.tuning.random })
    this.#patterns = new ScopePatterns({ include: [], exclude, excludePath })
  }

  /** Has a page rendered, if it is likely to show more in a browser. */
  render(request: RenderRequest, reply: Reply): void {
    const { id, attempt } = request
    const { completion } = this.#parts.frontier
    // This releases the host: the page makes requests of its own, perhaps to the same host.
    completion.answeredEarly(id, { health: 'unsure', ...attempt }, performance.now())
    this.#candidates.add(id, { request, reply }, signsOf(request))
    this.#events.pump()
  }

  /** Must be called when the outcome of a page was handled, or its worker has died. */
  concluded(id: number): void {
    this.#parts.learning.concluded(id)
    this.#candidates.delete(id)
  }

  /** Passes a resource that a worker fetched to its page. */
  resourceFetched(fetched: ResourceFetched): void {
    const { id, reply, attempt, exchange } = fetched
    const report: HostReport = { health: 'unsure', ...attempt }
    this.#parts.frontier.resources.end(id, report, performance.now())
    if (!this.#retry(fetched)) {
      if (exchange !== undefined) this.#parts.loaded.add(exchange)
      this.#answer(id, reply)
    }
    this.#events.pump()
  }

  /** Refuses a request of a page. */
  refuse(id: number, reason: string): void {
    this.#answer(id, { refused: reason })
  }

  /** Ends the browser and its thread. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.end()
  }

  /** Decides which waiting pages are rendered. With `--deterministic`, a page waits until all before it are settled. */
  decide(): void {
    const { frontier, learning } = this.#parts
    const turn = frontier.settleOrder?.next
    for (const [id, candidate] of this.#candidates) {
      const isCertain = candidate.request.evidence === undefined
      if (frontier.settleOrder !== undefined && id !== turn && !isCertain) continue
      const decision = learning.decide(candidate.request)
      if (decision === 'wait') continue
      this.#candidates.delete(id)
      if (decision === 'render') this.#begin(candidate)
      else candidate.reply({ type: 'rendered', id, result: { unrendered: 'template-static' } })
    }
  }

  /** Makes a request again later if that may help. Returns false if its reply counts. */
  #retry({ id, attempt, isTransient }: ResourceFetched): boolean {
    const loading = this.#loading.get(id)
    const { request } = loading ?? {}
    if (loading === undefined || request === undefined || isTransient !== true) return false
    const pause = this.#retries.pauseBefore(request.url, ++loading.failures, attempt.retryAfter)
    if (pause === undefined) return false
    const tried = { url: request.url, attempt: loading.failures }
    this.#parts.decisions?.retried(tried, 'a rendered page needs it', pause)
    setTimeout(() => this.#pass(() => this.#request(request)), pause).unref()
    return true
  }

  /** Has a page rendered. The first one starts the browser. */
  #begin({ request, reply }: Candidate): void {
    const { id, page } = request
    this.#pages.set(id, reply)
    this.#thread ??= this.#start()
    this.#thread.post({ type: 'render', id, page, signs: signsOf(request) })
  }

  #start(): RenderThread {
    const { interact, maxBody, renderTimeout } = this.#parts.config
    const { screenshots } = this.#parts
    const pages = Math.min(MAX_PAGES, PAGES_PER_CORE * availableParallelism())
    const setup = {
      browser: this.#browser,
      pages,
      timeout: renderTimeout,
      maxHtml: maxBody,
      interact,
      loadsImages: needsExchanges(this.#parts.config) || screenshots !== undefined,
      screenshots,
    }
    const thread: RenderThread = new RenderThread(setup, {
      event: (event) => this.#pass(() => this.#take(thread, event)),
      died: (error) => this.#pass(() => this.#died(error)),
    })
    return thread
  }

  #pass(event: () => void): void {
    if (!this.#isClosed) this.#parts.barrier.pass(event)
  }

  #take(thread: RenderThread, event: RenderEvent): void {
    switch (event.type) {
      case 'rendered':
        this.#rendered(event.id, event.result)
        break
      case 'load':
        this.#load({ thread, id: event.id, url: event.url, failures: 0 }, event)
        break
      case 'refused':
        this.#parts.decisions?.notLoaded(event.url, event.reason)
        break
      case 'failed':
        this.#events.fail(new CrawlerError('usage', `browser: ${this.#browser}: ${event.message}`))
        break
    }
  }

  #rendered(id: number, result: RenderResult): void {
    this.#pages.get(id)?.({ type: 'rendered', id, result })
    this.#pages.delete(id)
  }

  #load(loading: Loading, { url, headers, isCrossSite }: LoadEvent): void {
    const parsed = URL.parse(url)
    const canonical = parsed === null ? url : canonicalize(parsed)
    const id = ++this.#lastLoad
    this.#loading.set(id, loading)
    const refusal = this.#whyNot(canonical)
    if (refusal !== undefined) this.refuse(id, refusal)
    else {
      const request = { type: 'resource', id, url: canonical, headers, isCrossSite } as const
      loading.request = request
      this.#request(request)
    }
  }

  #request(request: ResourceRequest): void {
    this.#parts.frontier.resources.add(request)
    this.#events.pump()
  }

  /** Returns why a URL is not loaded for a page; undefined if it is. */
  #whyNot(url: string): string | undefined {
    if (this.#logout?.has(url) === true) return 'it logs out'
    if (this.#parts.login?.pages.has(url) === true) {
      this.#warnOfLogin(url)
      return 'it is the login page'
    }
    return this.#patterns.whyNot(url) === undefined ? undefined : 'it is excluded'
  }

  /** Warns once: if the session was lost, requests of pages lead to the login page, and the pages lack content. */
  #warnOfLogin(url: string): void {
    if (this.#hasWarnedOfLogin) return
    this.#hasWarnedOfLogin = true
    const text = `A request of a rendered page led to the login page ${url}: if the login was lost, links are missing`
    this.#parts.logger.warn({ url }, text)
  }

  #answer(id: number, reply: ResourceReply): void {
    const loading = this.#loading.get(id)
    this.#loading.delete(id)
    if (loading === undefined) return
    const reason = reasonOf(reply)
    if (reason !== undefined) this.#parts.decisions?.notLoaded(loading.url, reason)
    loading.thread.post({ type: 'loaded', id: loading.id, reply })
  }

  /** Has the workers use the pages as the servers sent them. The next page starts a new thread. */
  #died({ message }: Error): void {
    this.#thread = undefined
    for (const id of [...this.#pages.keys()]) this.#rendered(id, { failure: message })
  }
}

function signsOf({ evidence }: RenderRequest): number {
  return evidence?.signs ?? 0
}

/** Returns why a page gets no resource; undefined if it gets one. */
function reasonOf(reply: ResourceReply): string | undefined {
  if ('refused' in reply) return reply.refused
  return reply.status >= 400 ? `its server answered with status ${reply.status}` : undefined
}
