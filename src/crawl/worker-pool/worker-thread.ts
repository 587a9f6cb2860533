import { type ResourceLimits, Worker } from 'node:worker_threads'
import {
  type Claim,
  ClaimLog,
  claimsIn,
  type OlderClaims,
  readClaims,
} from '../../messages/claim-log.ts'
import type {
  CoordinatorMessage,
  Outcome,
  ProbeReply,
  ProbeRequest,
  RobotsReply,
  RobotsRequest,
  SetCookies,
  WorkerMessage,
} from '../../messages/messages.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'

/** The outcome of a URL that was assigned to a worker. */
export interface UrlOutcome {
  readonly crawlUrl: CrawlUrl
  readonly outcome: Outcome
  /** Number of the worker. */
  readonly worker: number
}

interface ThreadEvents {
  /** Runs the effects of an event, now or later. */
  pass(event: () => void): void
  outcomes(outcomes: readonly UrlOutcome[]): void
  robots(origin: string, reply: RobotsReply): void
  probed(host: string, reply: ProbeReply): void
  cookies(from: WorkerThread, message: SetCookies): void
  /** The worker runs. @param heapLimit maximum size of its heap in bytes */
  ready(heapLimit: number): void
  ended(thread: WorkerThread, error: Error): void
}

// No module imports fetch-worker/: it is started by its URL. Also from source the built one runs: one file starts in
// half the time of a hundred, and tests start hundreds.
const ENTRY = import.meta.url.endsWith('.ts') ? '../../../dist/worker/main.js' : './worker/main.js'

/** Time for a thread to end by itself, in milliseconds. */
const GRACE_MS = 2_000
/** Time for a thread to end by force. A name look-up may hold it for longer, but it runs no code any more. */
const FORCE_MS = 500

/** A request that a worker works on. */
export interface PendingRequest<T> {
  readonly request: T
  /** Time when it was sent, in milliseconds of the monotonic clock. */
  readonly since: number
}

/** One worker thread, and the requests that it works on. */
export class WorkerThread {
  readonly worker: number
  readonly owner: number
  readonly #urls = new Map<number, PendingRequest<CrawlUrl>>()
  /** Requests for robots.txt, by origin. */
  readonly #robots = new Map<string, PendingRequest<RobotsRequest>>()
  /** Requests that find out whether a host answers, by host. */
  readonly #probes = new Map<string, PendingRequest<ProbeRequest>>()
  /** URLs that are assigned and not sent yet. */
  #unsent: CrawlUrl[] = []
  readonly #claims = ClaimLog.allocate()
  /** Claims that the log had no room for. */
  #olderClaims: OlderClaims[] = []
  readonly #thread: Worker
  readonly #events: ThreadEvents
  #isReady = false
  /** Never rejects, unlike `once(thread, 'exit')`: a failure while the thread ends does no harm. */
  readonly #exit = Promise.withResolvers<void>()
  #end: Promise<void> | undefined
  #error = new Error('the worker ended')

  constructor(setup: Omit<WorkerSetup, 'claims'>, limits: ResourceLimits, events: ThreadEvents) {
    this.worker = setup.worker
    this.owner = setup.owner
    this.#events = events
    this.#thread = new Worker(new URL(ENTRY, import.meta.url), {
      workerData: { ...setup, claims: this.#claims } satisfies WorkerSetup,
      name: `worker ${setup.worker}`,
      resourceLimits: limits,
      stdout: true,
    })
    // Stdout is for visits: what hooks print goes beside the log.
    this.#thread.stdout.on('data', (chunk) => process.stderr.write(chunk))
    this.#thread.on('message', (message: WorkerMessage | null | undefined) => {
      // Hooks run in the worker, and may post what they like.
      if (message?.type !== undefined) events.pass(() => this.#receive(message))
    })
    this.#thread.on('error', (error: Error) => {
      this.#error = error
    })
    this.#thread.on('exit', () => {
      this.#exit.resolve()
      events.pass(() => events.ended(this, this.#error))
    })
  }

  /** True once the thread runs our code. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Number of URLs that are assigned to it. */
  get inFlight(): number {
    return this.#urls.size
  }

  /** Number of its requests of all kinds. */
  get load(): number {
    return this.#urls.size + this.#robots.size + this.#probes.size
  }

  /** The URLs that are assigned to it. */
  get crawlUrls(): CrawlUrl[] {
    return [...this.#urls.values()].map(({ request }) => request)
  }

  get robotsRequests(): PendingRequest<RobotsRequest>[] {
    return [...this.#robots.values()]
  }

  /** Requests for pages, and those that find out whether a host answers. */
  get hostRequests(): PendingRequest<CrawlUrl | ProbeRequest>[] {
    return [...this.#urls.values(), ...this.#probes.values()]
  }

  /** Hosts for which it finds out whether they answer. */
  get probedHosts(): string[] {
    return [...this.#probes.keys()]
  }

  /** Claims for pages whose outcome it has not reported; to be read once it has ended. */
  get unreportedClaims(): Claim[] {
    const older = this.#olderClaims.flatMap(({ entries }) => readClaims(entries))
    const claims = [...older, ...claimsIn(this.#claims)].filter(({ page }) => this.#urls.has(page))
    // Claims that it was handing over are in both.
    return [...new Map(claims.map((claim) => [JSON.stringify(claim), claim])).values()]
  }

  /** Assigns a URL, which `send` will send. */
  assign(crawlUrl: CrawlUrl, now: number): void {
    this.#urls.set(crawlUrl.id, { request: crawlUrl, since: now })
    this.#unsent.push(crawlUrl)
  }

  /** Sends the assigned URLs in one message. */
  send(): void {
    if (this.#unsent.length > 0) this.post({ type: 'visit', crawlUrls: this.#unsent })
    this.#unsent = []
  }

  /** Requests a robots.txt, or finds out whether a host answers. */
  request(request: RobotsRequest | ProbeRequest): void {
    const since = performance.now()
    if (request.type === 'probe') this.#probes.set(request.host, { request, since })
    else this.#robots.set(request.origin, { request, since })
    this.post(request)
  }

  post(message: CoordinatorMessage): void {
    this.#thread.postMessage(message)
  }

  /** Resolves when the thread runs no code any more: it ends by itself, or by force after a while. */
  end(): Promise<void> {
    this.#end ??= this.#letEnd()
    return this.#end
  }

  async #letEnd(): Promise<void> {
    this.post({ type: 'end' })
    if (await this.#endsWithin(GRACE_MS)) return
    void this.#thread.terminate()
    await this.#endsWithin(FORCE_MS)
  }

  #endsWithin(ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), ms)
    void this.#exit.promise.then(() => resolve(true))
    return promise.finally(() => clearTimeout(timer))
  }

  #receive(message: WorkerMessage): void {
    switch (message.type) {
      case 'ready':
        this.#isReady = true
        this.#events.ready(message.heapLimit)
        break
      case 'robots':
        this.#robots.delete(message.origin)
        this.#events.robots(message.origin, message.reply)
        break
      case 'probe':
        this.#probes.delete(message.host)
        this.#events.probed(message.host, message.reply)
        break
      case 'cookies':
        this.#events.cookies(this, message)
        break
      case 'claims':
        this.#olderClaims.push(message)
        break
      case 'outcomes':
        this.#events.outcomes(message.outcomes.flatMap((outcome) => this.#finish(outcome)))
        this.#dropClaims()
        break
    }
  }

  /** Drops the claims for pages whose outcomes are reported. */
  #dropClaims(): void {
    if (this.#olderClaims.length === 0) return
    this.#olderClaims = this.#olderClaims.filter(({ pages }) =>
      pages.some((page) => this.#urls.has(page)),
    )
  }

  #finish(outcome: Outcome): UrlOutcome[] {
    const pending = this.#urls.get(outcome.id)
    this.#urls.delete(outcome.id)
    if (pending === undefined) return []
    return [{ crawlUrl: pending.request, outcome, worker: this.worker }]
  }
}
