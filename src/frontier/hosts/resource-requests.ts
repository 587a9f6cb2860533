import type { RobotsFailure } from '../../messages/from-worker.ts'
import type { ResourceRequest } from '../../messages/to-worker.ts'
import { hostKey } from '../../url/host-key.ts'
import { originOf } from '../../url/origin.ts'
import type { ResourceAction } from '../action.ts'
import type { HostAddressLookups } from './host-address-lookups.ts'
import type { HostDirectory } from './host-directory.ts'
import type { HostReport } from './host-health.ts'
import type { HostQueue } from './host-queue.ts'
import { ALLOWED, type RobotsVerdict } from './host-robots.ts'
import type { HostSchedule } from './host-schedule.ts'
import type { RobotsRequests } from './robots-requests.ts'

interface ResourceParts {
  readonly hosts: HostDirectory
  readonly schedule: HostSchedule
  readonly lookUps: HostAddressLookups
  readonly robotsRequests: RobotsRequests
}

interface ResourceOptions {
  readonly ignoreRobots: boolean
  /** Returns whether this process may make requests to a host. */
  readonly isOurs: (host: string) => boolean
  /** Ends a request to a host, so that its next one can begin. */
  readonly free: (host: HostQueue, now: number) => void
}

/** The action for the first request of a host; undefined while it has to wait. */
type Step = ResourceAction | undefined

/**
 * The requests of rendered pages: scripts, styles, data. They obey robots.txt, the limits and the pauses of their
 * hosts like all others. They go before waiting pages, because a browser waits for them.
 */
export class ResourceRequests {
  readonly #parts: ResourceParts
  readonly #options: ResourceOptions
  readonly #waiting = new Map<string, ResourceRequest[]>()
  readonly #inFlight = new Map<number, HostQueue>()
  #wakeAt: number | undefined

  constructor(parts: ResourceParts, options: ResourceOptions) {
    this.#parts = parts
    this.#options = options
  }

  /** Number of requests that wait or are in flight. */
  get size(): number {
    return (
      this.#inFlight.size + [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0)
    )
  }

  /** When `take` can return actions again; undefined if that depends on requests in flight. */
  get wakeAt(): number | undefined {
    return this.#wakeAt
  }

  /** Adds a request, to be made when its host allows. */
  add(request: ResourceRequest): void {
    const key = hostKey(request.url)
    const queue = this.#waiting.get(key)
    if (queue === undefined) this.#waiting.set(key, [request])
    else queue.push(request)
  }

  /** Returns the actions that may be carried out now. */
  take(now: number): ResourceAction[] {
    this.#wakeAt = undefined
    return [...this.#waiting].flatMap(([key, queue]) => this.#takeOf(key, queue, now))
  }

  /** Ends a request, and frees its host. */
  end(id: number, report: HostReport, now: number): void {
    const host = this.#inFlight.get(id)
    this.#inFlight.delete(id)
    if (host === undefined) return
    host.report(report, now)
    this.#options.free(host, now)
  }

  #takeOf(key: string, queue: ResourceRequest[], now: number): ResourceAction[] {
    const actions: ResourceAction[] = []
    for (let [first] = queue; first !== undefined; [first] = queue) {
      const step = this.#stepFor(key, first, now)
      if (step !== undefined) actions.push(step)
      // The other requests to this host wait for the same event.
      if (step?.type !== 'resource' && step?.type !== 'refuse') break
      queue.shift()
    }
    if (queue.length === 0) this.#waiting.delete(key)
    return actions
  }

  #stepFor(key: string, request: ResourceRequest, now: number): Step {
    if (!this.#options.isOurs(key)) return refusal(request, 'another process has its host')
    const host = this.#parts.hosts.load(key)
    // If the host was loaded into memory just now, its waiting URLs must be scheduled.
    this.#parts.schedule.place(host, now)
    if (host.failure !== undefined || host.isAway) {
      return refusal(request, host.failure ?? 'its host does not answer')
    }
    if (host.address === 'unknown') return this.#parts.lookUps.begin(host)
    if (host.address === 'requested') return undefined
    const verdict = this.#robotsVerdict(host, request.url, now)
    if (verdict.type === 'unknown') return this.#requestRobots(host, request, now)
    if (verdict.type === 'unreachable') return refusal(request, unreachableReason(verdict))
    if (verdict.type === 'forbidden') return refusal(request, 'robots.txt forbids it')
    return this.#isReady(host, now) ? this.#begin(host, request) : undefined
  }

  #robotsVerdict(host: HostQueue, url: string, now: number): RobotsVerdict {
    if (this.#options.ignoreRobots) return ALLOWED
    return host.robots.verdict(url, now)
  }

  #requestRobots(host: HostQueue, request: ResourceRequest, now: number): Step {
    const origin = originOf(request.url)
    // An origin that did not answer is tried again later: a browser doesn't wait for that.
    if (host.robots.retryOf(origin) !== undefined) {
      return refusal(request, 'robots.txt is unreachable')
    }
    if (!host.robots.isPending) this.#parts.robotsRequests.queue(host, origin)
    if (host.robotsRequests.size === 0 || !this.#isReady(host, now)) return undefined
    return this.#parts.robotsRequests.begin(host)
  }

  #begin(host: HostQueue, request: ResourceRequest): ResourceRequest {
    host.began()
    this.#inFlight.set(request.id, host)
    return request
  }

  /** Returns whether a request may be made now. If it must wait for a time, sets `wakeAt`. */
  #isReady(host: HostQueue, now: number): boolean {
    const next = host.load.next(host.robots.crawlDelay)
    if (typeof next !== 'number') return false
    if (next <= now) return true
    this.#wakeAt = Math.min(next, this.#wakeAt ?? next)
    return false
  }
}

/** Returns why robots.txt could not be fetched. If the address is refused, that holds for all URLs of the host. */
function unreachableReason({ reason, error }: Pick<RobotsFailure, 'reason' | 'error'>): string {
  return error === undefined ? `robots.txt is unreachable: ${reason}` : reason
}

function refusal({ id }: ResourceRequest, reason: string): ResourceAction {
  return { type: 'refuse', id, reason }
}
