import type { TrapGuard } from '../traps/trap-guard.ts'
import type { UrlCompletion } from './frontier.ts'
import type { HostReport } from './hosts/host-health.ts'
import { QUICK_MS } from './hosts/host-load.ts'
import type { HostQueue } from './hosts/host-queue.ts'
import type { HostSchedule } from './hosts/host-schedule.ts'
import type { DepthTally } from './shortest-path/depth-tally.ts'
import type { FrontierTables } from './storage/frontier-tables.ts'
import { URL_STATE, type UrlState } from './storage/stored-url.ts'
import type { UrlInFlight, UrlsInFlight } from './urls-in-flight.ts'

/** The parts of the frontier that the end of a request changes. */
interface CompletionParts {
  readonly tables: Pick<FrontierTables, 'outlinks'>
  readonly inFlight: UrlsInFlight
  readonly hostsToRecall: Set<string>
  readonly schedule: HostSchedule
  readonly unfinished: DepthTally
  readonly traps: TrapGuard | undefined
}

/** Ends requests: it settles URLs that are in flight, and frees their hosts. */
export class Completion implements UrlCompletion {
  readonly #parts: CompletionParts

  constructor(parts: CompletionParts) {
    this.#parts = parts
  }

  /** Settles a URL in the given state. */
  settle(url: UrlInFlight, state: UrlState, now: number): void {
    const { inFlight, schedule, tables, unfinished } = this.#parts
    const before = unfinished.shallowest
    inFlight.settle(url, state)
    url.host.availability.settled(url.crawlUrl.id)
    if (unfinished.shallowest > before) tables.outlinks.dropUpTo(unfinished.shallowest)
    if (url.isAnswered === true) schedule.place(url.host, now)
    else this.free(url.host, now)
  }

  /** Notes that a request to a host has ended. */
  free(host: HostQueue, now: number): void {
    host.ended(now)
    this.#parts.schedule.freed(host, now)
  }

  /** Applies a request's report on its host. Returns whether the host is given up because of it. */
  report(host: HostQueue, report: HostReport, now: number): boolean {
    const { hostsToRecall, schedule } = this.#parts
    if (isTrouble(report)) hostsToRecall.add(host.key)
    if ((report.ms ?? 0) >= QUICK_MS) schedule.endTurn(host)
    return host.report(report, now)
  }

  answeredEarly(id: number, report: HostReport, now: number): void {
    const url = this.#parts.inFlight.get(id)
    if (url === undefined || url.isAnswered === true) return
    this.report(url.host, report, now)
    this.#parts.inFlight.answered(id)
    this.free(url.host, now)
  }

  handedOutAt(id: number): number | undefined {
    return this.#parts.inFlight.get(id)?.handedOutAt
  }

  isAnswered(id: number): boolean {
    return this.#parts.inFlight.get(id)?.isAnswered === true
  }

  isLost(id: number): boolean {
    return this.#parts.inFlight.get(id)?.isLost === true
  }

  dropIfHostFailed(id: number, now: number): boolean {
    const url = this.#parts.inFlight.get(id)
    if (url === undefined || url.host.failure === undefined) return false
    // The host answered this URL before it went away.
    if (url.host.availability.isAway) return false
    this.settle(url, URL_STATE.hostFailed, now)
    return true
  }

  dropIfTrap(id: number, now: number): boolean {
    const url = this.#parts.inFlight.get(id)
    if (url === undefined || url.crawlUrl.depth === 0) return false
    if (this.#parts.traps?.admit(url.crawlUrl.url, url.host.key) !== 'drop') return false
    this.settle(url, URL_STATE.skipped, now)
    return true
  }
}

/** Returns whether a host should get fewer requests, or none for a time. */
function isTrouble({ health, retryAfter = 0 }: HostReport): boolean {
  return health !== 'well' || retryAfter > 0
}
