import { formatSeconds } from '../../english-text.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import { earliestSleepers } from '../../frontier/hosts/sleepers.ts'
import type { Logger } from '../../logger.ts'
import type { PendingSummary } from '../worker-pool/pending-summary.ts'
import type { WorkerPool } from '../worker-pool/worker-pool.ts'

/** Number of examples of each kind in the log. */
const MAX_EXAMPLES = 5

/** A host that may not get a request yet. */
interface WaitingHost {
  readonly host: string
  /** Milliseconds until it may get one. */
  readonly ms: number
  /** True for a host that has stopped answering. */
  readonly isAway: boolean
}

/** The reasons for which a crawl waits, with some examples of each kind. */
export interface Waits {
  readonly requests: PendingSummary
  readonly robots: PendingSummary
  readonly hosts: {
    readonly count: number
    /** The hosts whose wait ends first. */
    readonly first: readonly WaitingHost[]
  }
  /** True while the job is paused. */
  readonly isPaused: boolean
  /** True if the reader of an output is too slow. */
  readonly isCongested: boolean
  /** The limits of the whole crawl that requests wait for: `--rate`, `--bandwidth`. */
  readonly limits: readonly string[]
}

/** The limits of a crawl, each with the number of permits that requests wait for. */
interface WaitingRates {
  readonly requestRate?: { readonly waiting: number } | undefined
  readonly byteRate?: { readonly waiting: number } | undefined
}

/** Returns what a crawl waits for. */
export function findWaits(
  { hosts: { sleepers }, isPaused }: Pick<Frontier, 'hosts' | 'isPaused'>,
  pool: Pick<WorkerPool, 'pending'>,
  isCongested: boolean,
  { requestRate, byteRate }: WaitingRates,
): Waits {
  const now = performance.now()
  const first = earliestSleepers(sleepers, MAX_EXAMPLES)
  return {
    ...pool.pending(MAX_EXAMPLES, now),
    hosts: {
      count: sleepers.count,
      first: first.map(({ host, until, isAway }) => ({ host, ms: until - now, isAway })),
    },
    isPaused,
    isCongested,
    limits: [
      ...(requestRate !== undefined && requestRate.waiting > 0 ? ['--rate'] : []),
      ...(byteRate !== undefined && byteRate.waiting > 0 ? ['--bandwidth'] : []),
    ],
  }
}

/** Logs what a crawl waits for if nothing has happened for a while, and repeats that at the same interval. */
export class Watchdog {
  readonly #logger: Logger
  readonly #silence: number
  readonly #findWaits: () => Waits
  #movedAt = performance.now()
  #timer: NodeJS.Timeout

  /** @param silence milliseconds without an event after which the log reports it */
  constructor(logger: Logger, silence: number, findWaits: () => Waits) {
    this.#logger = logger
    this.#silence = silence
    this.#findWaits = findWaits
    this.#timer = this.#sleep(silence)
  }

  /** Notes that something has happened. */
  moved(): void {
    this.#movedAt = performance.now()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #sleep(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#wake(), Math.max(1, ms)).unref()
  }

  #wake(): void {
    const silentFor = performance.now() - this.#movedAt
    const isSilent = silentFor >= this.#silence
    if (isSilent) this.#log(silentFor)
    this.#timer = this.#sleep(isSilent ? this.#silence : Math.ceil(this.#silence - silentFor))
  }

  #log(silentFor: number): void {
    const waits = this.#findWaits()
    this.#logger.warn(waits, `No response for ${formatSeconds(silentFor)}: ${textOf(waits)}`)
  }
}

function textOf({ requests, robots, hosts, isPaused, isCongested, limits }: Waits): string {
  const waiting = ({ url, ms }: PendingSummary['oldest'][number]) =>
    `${url} for ${formatSeconds(ms)}`
  const parts = [
    ...(isPaused ? ['the job is paused'] : []),
    ...part(
      requests.count,
      'request in flight',
      'requests in flight',
      requests.oldest.map(waiting),
    ),
    ...part(robots.count, 'robots.txt request', 'robots.txt requests', robots.oldest.map(waiting)),
    ...part(hosts.count, 'waiting host', 'waiting hosts', hosts.first.map(hostText)),
    ...(isCongested ? ['the reader of the output has not caught up'] : []),
    ...(limits.length > 0 ? [`requests wait for ${limits.join(' and ')}`] : []),
  ]
  return parts.length > 0 ? parts.join('; ') : 'nothing is in flight'
}

function hostText({ host, ms, isAway }: WaitingHost): string {
  const why = isAway ? ', which has stopped answering' : ''
  return `${host} for another ${formatSeconds(ms)}${why}`
}

function part(count: number, one: string, many: string, some: readonly string[]): string[] {
  if (count === 0) return []
  const listed = some.length > 0 ? ` (${some.join(', ')})` : ''
  return [`${count} ${count === 1 ? one : many}${listed}`]
}
