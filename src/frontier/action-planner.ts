import type { CrawlUrl } from '../records/crawl-url.ts'
import type { RobotsRule } from '../robots/parse.ts'
import type { TrapVerdict } from '../traps/pattern-yield.ts'
import type { TrapGuard } from '../traps/trap-guard.ts'
import { originOf } from '../url/origin.ts'
import { hasSitemapPath } from '../url/sitemap-path.ts'
import type { Action, SkipCause } from './action.ts'
import type { LevelOrder } from './deterministic/level-order.ts'
import type { FrontierOptions } from './frontier.ts'
import { CostlyRules, isCostly } from './hosts/costly-rules.ts'
import type { HostAddressLookups } from './hosts/host-address-lookups.ts'
import type { HostProbes } from './hosts/host-probes.ts'
import type { HostQueue } from './hosts/host-queue.ts'
import { ALLOWED, type RobotsVerdict } from './hosts/host-robots.ts'
import type { HostSchedule } from './hosts/host-schedule.ts'
import type { RobotsRequests } from './hosts/robots-requests.ts'
import type { DepthTally } from './shortest-path/depth-tally.ts'
import type { FrontierTables } from './storage/frontier-tables.ts'
import { type ReadyUrl, URL_STATE, type UrlState } from './storage/stored-url.ts'
import { crawlUrlOf, type UrlsInFlight } from './urls-in-flight.ts'

/** Maximum turns of one call. A turn that defers a URL returns no action, and a trap may have many URLs to defer. */
const MAX_TURNS = 1_000

/** The states of skipped URLs, if they are others than `skipped`. */
const STATES: Readonly<Partial<Record<SkipCause, UrlState>>> = {
  robots: URL_STATE.forbidden,
  'host-failed': URL_STATE.hostFailed,
}

/** The parts of the frontier that actions change. */
interface PlannerParts {
  readonly tables: Pick<FrontierTables, 'rereads' | 'urls'>
  readonly schedule: HostSchedule
  readonly inFlight: UrlsInFlight
  readonly robotsRequests: RobotsRequests
  readonly probes: HostProbes
  readonly lookUps: HostAddressLookups
  readonly unfinished: DepthTally
  /** Set with `--deterministic`. */
  readonly order: LevelOrder | undefined
  /** Undefined when URLs are dropped as traps later, or not at all. */
  readonly earlyTraps: TrapGuard | undefined
}

type PlannerOptions = Pick<FrontierOptions, 'dryRun' | 'ignoreRobots'>

/** Chooses the next action host by host, as politeness and robots.txt allow. */
export class ActionPlanner {
  readonly #parts: PlannerParts
  readonly #costlyRules = new CostlyRules()
  readonly #options: PlannerOptions

  constructor(parts: PlannerParts, options: PlannerOptions) {
    this.#parts = parts
    this.#options = options
  }

  /** Returns the next actions, at most `max` of them. */
  take(max: number, now: number): Action[] {
    const { schedule } = this.#parts
    const actions: Action[] = []
    for (let turn = 0; turn < MAX_TURNS && actions.length < max; turn++) {
      const host = schedule.next(now)
      if (host === undefined) break
      const action = this.#actionFor(host, now)
      if (action !== undefined) actions.push(action)
      // A host that makes no request passes its turn on to others at its address.
      if (action?.type === 'visit' || action?.type === 'robots' || action?.type === 'probe')
        schedule.place(host, now)
      else schedule.freed(host, now)
    }
    return actions
  }

  #actionFor(host: HostQueue, now: number): Action | undefined {
    const { lookUps, probes, robotsRequests } = this.#parts
    if (host.status(now) !== 'ready') return undefined
    if (host.address === 'unknown') return this.#skipBeyondLimit(host) ?? lookUps.begin(host)
    if (host.decideOnHeld(now)) {
      return { type: 'count-failures', host: host.key, ids: host.availability.held.take() }
    }
    const { head } = host.urls
    if (host.robotsRequests.size > 0) return robotsRequests.begin(host)
    if (host.availability.wantsProbe) return probes.begin(host, now)
    if (head === undefined) return undefined
    if (host.failure !== undefined) return this.#skip(host, head, 'host-failed')
    const skip = this.#skipBeyondLimit(host)
    if (skip !== undefined) return skip
    if (host.availability.isAway) return probes.begin(host, now)
    return this.#obey(host, head, this.#robotsVerdict(host, head, now), now)
  }

  #robotsVerdict(host: HostQueue, { url }: ReadyUrl, now: number): RobotsVerdict {
    if (this.#options.ignoreRobots) return ALLOWED
    const { robots } = host
    const verdict = robots.verdict(url, now)
    if (isCostly(robots)) host.load.pauseUntil(this.#costlyRules.resumeAt(robots.cost, now))
    return verdict
  }

  #obey(host: HostQueue, head: ReadyUrl, verdict: RobotsVerdict, now: number): Action | undefined {
    switch (verdict.type) {
      case 'allowed':
        if (this.#options.dryRun === true && !isReadInDryRun(head)) {
          return this.#skip(host, head, 'dry-run', verdict.rule)
        }
        return this.#visit(host, head, now)
      case 'unknown':
        this.#parts.robotsRequests.queue(host, originOf(head.url))
        return this.#parts.robotsRequests.begin(host)
      case 'forbidden':
        return this.#skip(host, head, 'robots', verdict.rule)
      case 'unreachable': {
        const crawlUrl = this.#drop(host, head, URL_STATE.failed)
        const { reason, error } = verdict
        return { type: 'fail', crawlUrl, reason, ...(error !== undefined && { error }) }
      }
    }
  }

  #visit(host: HostQueue, head: ReadyUrl, now: number): Action | undefined {
    const verdict = this.#trapVerdict(host, head)
    if (verdict === 'drop') return this.#skip(host, head, 'trap')
    if (verdict !== 'fetch')
      host.urls.deferredOrder = verdict === 'probe' ? 'farthest-first' : 'nearest-first'
    if (verdict === 'fetch' || host.urls.isDeferred) {
      return { type: 'visit', crawlUrl: this.#parts.inFlight.handOut(host, head, now) }
    }
    host.urls.defer(head)
    return undefined
  }

  /**
   * Returns the verdict of trap detection. URLs at depth 0 are never traps: seeds, the targets of their redirects, and
   * URLs of sitemaps. Neither are URLs that are retried.
   */
  #trapVerdict(host: HostQueue, { url, depth, attempts }: ReadyUrl): TrapVerdict {
    if (depth === 0 || attempts > 0) return 'fetch'
    return this.#parts.earlyTraps?.admit(url, host.key) ?? 'fetch'
  }

  /** Skips the next URL if it would exceed a limit. */
  #skipBeyondLimit(host: HostQueue): Action | undefined {
    const { head } = host.urls
    const limit = head && host.load.limitOf(head)
    return head && limit && this.#skip(host, head, limit)
  }

  #skip(host: HostQueue, head: ReadyUrl, reason: SkipCause, rule?: RobotsRule): Action {
    const state = STATES[reason] ?? URL_STATE.skipped
    return { type: 'skip', crawlUrl: this.#drop(host, head, state), reason, rule }
  }

  /** Removes the head from its queue without a request. */
  #drop(host: HostQueue, head: ReadyUrl, state: UrlState): CrawlUrl {
    const { order, tables, unfinished } = this.#parts
    const { rereads, urls } = tables
    const isReread = rereads.has(head.id)
    if (isReread) rereads.remove(head.id)
    host.urls.shift()
    if (order !== undefined && !isReread) order.drop(head.id, { depth: head.depth, state })
    else {
      unfinished.remove(head.depth)
      urls.setState(head.id, isReread ? URL_STATE.visited : state)
    }
    return crawlUrlOf(head, head.depth, isReread)
  }
}

/**
 * Returns whether `--dry-run` fetches a URL: a seed, a sitemap, or the target of a redirect of these. A URL that
 * a sitemap lists may be a page or another sitemap: only its name shows which.
 */
function isReadInDryRun({ hop, depth, via, url }: ReadyUrl): boolean {
  if (hop === 'sitemap') return via === null || hasSitemapPath(url)
  return hop === 'seed' || (hop === 'redirect' && depth === 0)
}
