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
  ProbeErrand,
  ProbeReply,
  RobotsErrand,
  RobotsReply,
  SetCookies,
  WorkerMessage,
} from '../../messages/messages.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'

/** An outcome, and what was asked for. */
export interface UrlOutcome {
  readonly crawlUrl: CrawlUrl
  readonly outcome: Outcome
  /** Number of the worker. */
  readonly worker: number
}

interface ThreadEvents {
  /** Runs what comes of an event, at once or when it may: until then nothing has changed. */
  pass(event: () => void): void
  outcomes(settled: readonly UrlOutcome[]): void
  robots(origin: string, reply: RobotsReply): void
  probed(host: string, reply: ProbeReply): void
  cookies(from: WorkerThread, message: SetCookies): void
  /** It runs, with so many bytes for its heap at most. */
  ready(heapLimit: number): void
  ended(thread: WorkerThread, error: Error): void
}

// Nothing imports worker/: it is started by URL. It is the built one from source, too: one file starts in
// half the time that a hundred take, and tests start hundreds.
const ENTRY = import.meta.url.endsWith('.ts') ? '../../../dist/worker/main.js' : './worker/main.js'

/** Time that a thread has to end by itself, in milliseconds. */
const GRACE_MS = 2_000
/** The same by force: the system may hold it, until a name was looked up for one, but it runs no code any more. */
const FORCE_MS = 500

/** What a thread was asked for, and when, in milliseconds of the monotonic clock. */
export interface Requested<T> {
  readonly what: T
  readonly since: number
}

/** One worker thread, and what it has in its hands. */
export class WorkerThread {
  readonly worker: number
  readonly owner: number
  readonly inFlight = new Map<number, Requested<CrawlUrl>>()
  /** Requests for robots.txt, by origin. */
  readonly robots = new Map<string, Requested<RobotsErrand>>()
  readonly #claims = ClaimLog.allocate()
  /** Those that its log has no room for. */
  #olderClaims: OlderClaims[] = []
  /** Requests that find out whether a host is there, by host. */
  readonly probes = new Map<string, Requested<ProbeErrand>>()
  readonly #thread: Worker
  readonly #events: ThreadEvents
  /** It came as far as running our code. */
  isReady = false
  /** Never rejects, unlike `once(thread, 'exit')`: what fails while it ends has nothing left to spoil. */
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
    })
    this.#thread.on('message', (message: WorkerMessage) =>
      events.pass(() => this.#receive(message)),
    )
    this.#thread.on('error', (error: Error) => {
      this.#error = error
    })
    this.#thread.on('exit', () => {
      this.#exit.resolve()
      events.pass(() => events.ended(this, this.#error))
    })
  }

  /** Requests that it holds. */
  get load(): number {
    return this.inFlight.size + this.robots.size + this.probes.size
  }

  /** What it claimed and did not tell; to be asked for once it has ended. */
  get unreportedClaims(): Claim[] {
    const older = this.#olderClaims.flatMap(({ entries }) => readClaims(entries))
    const claims = [...older, ...claimsIn(this.#claims)].filter(({ page }) =>
      this.inFlight.has(page),
    )
    // Those that it was handing over are in both.
    return [...new Map(claims.map((claim) => [JSON.stringify(claim), claim])).values()]
  }

  /** Has it ask for a robots.txt, or whether a host is there. */
  ask(errand: RobotsErrand | ProbeErrand): void {
    const since = performance.now()
    if (errand.type === 'probe') this.probes.set(errand.host, { what: errand, since })
    else this.robots.set(errand.origin, { what: errand, since })
    this.post(errand)
  }

  post(message: CoordinatorMessage): void {
    this.#thread.postMessage(message)
  }

  /** Resolves when the thread does nothing any more: by itself, or by force when it takes too long. */
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
        this.isReady = true
        this.#events.ready(message.heapLimit)
        break
      case 'robots':
        this.robots.delete(message.origin)
        this.#events.robots(message.origin, message.reply)
        break
      case 'probe':
        this.probes.delete(message.host)
        this.#events.probed(message.host, message.reply)
        break
      case 'cookies':
        this.#events.cookies(this, message)
        break
      case 'claims':
        this.#olderClaims.push(message)
        break
      case 'outcomes':
        this.#events.outcomes(message.outcomes.flatMap((outcome) => this.#settle(outcome)))
        this.#dropClaims()
        break
    }
  }

  /** Those about pages that are told are of no use any more. */
  #dropClaims(): void {
    if (this.#olderClaims.length === 0) return
    this.#olderClaims = this.#olderClaims.filter(({ pages }) =>
      pages.some((page) => this.inFlight.has(page)),
    )
  }

  #settle(outcome: Outcome): UrlOutcome[] {
    const asked = this.inFlight.get(outcome.id)
    this.inFlight.delete(outcome.id)
    return asked === undefined ? [] : [{ crawlUrl: asked.what, outcome, worker: this.worker }]
  }
}
