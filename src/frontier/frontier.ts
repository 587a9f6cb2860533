import type { RobotsAnswer, RobotsReply } from '../messages/from-worker.ts'
import type { Findings, LinkedUrls } from '../messages/outcome.ts'
import type { ResourceRequest } from '../messages/to-worker.ts'
import type { TrapExample } from '../traps/trap-example.ts'
import type { TrapLimits } from '../traps/trap-limits.ts'
import type { Action, ResourceAction } from './action.ts'
import type {
  AttemptSign,
  AttemptVerdict,
  ProbeSign,
  ProbeVerdict,
} from './hosts/availability-signs.ts'
import type { FailedHost } from './hosts/failed-host.ts'
import type { HostReport } from './hosts/host-health.ts'
import type { BusyHosts } from './hosts/host-stats.ts'
import type { PolitenessOptions } from './hosts/politeness-options.ts'
import type { RobotsRetries } from './hosts/robots-retry.ts'
import type { Sleepers } from './hosts/sleepers.ts'
import type { RereadScope, WaitingUrl } from './storage/stored-url.ts'

export interface FrontierOptions extends PolitenessOptions {
  /** Maximum depth. */
  readonly depth: number
  readonly ignoreRobots: boolean
  /** True to fetch only seeds, the targets of their redirects, and sitemaps. */
  readonly dryRun?: boolean
  /** True if URLs are settled in one order: see deterministic/level-order.ts. */
  readonly deterministic?: boolean
  /** True if endless URL spaces are detected, and no longer followed. */
  readonly traps?: boolean
  /** The evidence that is needed to detect a trap. */
  readonly trapLimits?: TrapLimits | undefined
}

/**
 * Decides what the crawl fetches next: it keeps the URLs that were found, each at the depth of its shortest
 * path, and treats hosts politely. Its contract is test/frontier/frontier-contract.ts.
 *
 * Times are milliseconds of the monotonic clock, as `performance.now()` returns them. Methods identify a URL by its
 * id, which is part of the action that hands the URL out. A URL is unfinished until `visited` or `failed` is called, or
 * until an action says that it is not fetched.
 *
 * If a URL is handed out with `keepLinks`, all links of its page must be reported, not only the new ones. They are
 * needed while a shorter path to the page may be found, and when the page is fetched again: a worker that died may
 * have added its links to the seen set without reporting them.
 */
export interface Frontier {
  /** Number of URLs that are not finished: they wait, are in flight, or will be tried again. */
  readonly unfinished: number
  /** Number of URLs that wait to be handed out. */
  readonly waiting: number
  /** When `take` can return actions again; undefined if that depends on requests in flight. */
  readonly wakeAt: number | undefined
  /** True while the job is paused, so that `take` returns nothing. */
  readonly isPaused: boolean
  /** True if some waiting URLs will never be handed out, because the stored state is damaged. */
  readonly isStuck: boolean
  /** Patterns of URLs that were dropped as traps. */
  readonly traps: readonly TrapExample[]
  readonly hosts: HostOverview
  readonly completion: UrlCompletion
  readonly outages: OutageHandling
  readonly resources: ResourceLoading
  readonly snapshot: FrontierSnapshot
  /** The order in which URLs have to be settled; undefined without `--deterministic`. */
  readonly settleOrder: SettleOrder | undefined

  /** Returns the URL of an id; undefined if there is none. */
  urlOf(id: number): string | undefined
  /** Adds a seed. */
  addSeed(url: string, now: number): void
  /** Adds sitemaps that robots.txt names. */
  addSitemaps(urls: readonly string[], now: number): void
  /** Returns the actions that may be carried out now, at most `max` of them. */
  take(max: number, now: number): Action[]
  /** Finishes a page that was visited, and adds the URLs that it leads to. */
  visited(id: number, findings: Findings, now: number): void
  /** Adds the URLs that a page in flight leads to, even if the page fails later. */
  addLinks(id: number, named: LinkedUrls, now: number): void
  /**
   * Finishes a URL that failed and is not retried.
   * @param isReplaced true if another URL is tried in its place, and gets the record
   */
  failed(id: number, now: number, isReplaced?: boolean): void
  /**
   * Retries a URL after a pause.
   * @param after the pause in milliseconds; undefined to retry at once, without counting the attempt as a failure
   */
  retry(id: number, after: number | undefined, now: number): void
  /** Puts a URL that was not requested back into its queue. */
  returnUnsent(id: number, now: number): void
  /** Returns the hosts whose URLs must be recalled from workers, each only once. */
  takeHostsToRecall(): string[]
  /** Lets no URL wait in workers from now on: the option `queuedPerHost` no longer applies. */
  endQueueing(): void
  /** Applies a request's report on its host. Returns the host if it is given up; its URLs will then be skipped. */
  report(id: number, report: HostReport, now: number): FailedHost | undefined
  /**
   * Applies a reply to a request for robots.txt.
   * @param retries further requests for an unreachable robots.txt; all of them by default
   */
  setRobots(origin: string, reply: RobotsReply, now: number, retries?: RobotsRetries): void
  /** Sets the address of a host; undefined if none was found. */
  setAddress(key: string, address: string | undefined, now: number): void
  /** Admits the next URLs of the settle order, at most `limit` at a time; does nothing without such an order. */
  admit(limit: number, now: number): void
  /** Frees all resources. */
  close(): void
}

/** The hosts that a frontier knows. */
interface HostOverview {
  /** Number of known hosts. */
  readonly count: number
  /** Number of hosts that have stopped answering, and are waited for. */
  readonly away: number
  /** Hosts that have URLs and may not be requested yet. */
  readonly sleepers: Sleepers
  /** Returns the busiest, the slowest, the unreachable and the pausing hosts, at most `max` of each. */
  busy(max: number, now: number): BusyHosts
}

/** Operations on URLs in flight, in addition to `visited` and `failed`. */
export interface UrlCompletion {
  /** Frees the host of a URL that is answered and will be settled later. */
  answeredEarly(id: number, report: HostReport, now: number): void
  /** Returns when a URL in flight was handed out; undefined for any other. */
  handedOutAt(id: number): number | undefined
  /** Returns whether the host of a URL in flight was freed before. */
  isAnswered(id: number): boolean
  /** Returns whether the host of a URL in flight was handed to another process meanwhile. */
  isLost(id: number): boolean
  /** Drops a URL whose host was given up while it was in flight; returns false for any other URL. */
  dropIfHostFailed(id: number, now: number): boolean
  /** Drops a URL that turned out to be a trap while it was in flight; returns false for any other URL. */
  dropIfTrap(id: number, now: number): boolean
}

/** The requests of rendered pages. They obey robots.txt, limits and pauses like all others. */
interface ResourceLoading {
  /** When `take` can return actions again; undefined if that depends on requests in flight. */
  readonly wakeAt: number | undefined
  /** Adds a request. */
  add(request: ResourceRequest): void
  /** Returns the actions that may be carried out now. */
  take(now: number): ResourceAction[]
  /** Ends a request, and frees its host. */
  end(id: number, report: HostReport, now: number): void
}

/** Operations on hosts that stop answering. The crawl waits for them for a time, then gives them up. */
export interface OutageHandling {
  /** Applies the sign of an attempt to its host. Returns the consequences for the URL and the host. */
  judge(id: number, sign: AttemptSign, now: number): AttemptVerdict
  /** Puts a URL back into its queue after a failure: its host has failed, not the URL. */
  putBack(id: number, now: number): void
  /** Applies the sign of a probe to its host. Returns the consequences for held failures and the host. */
  probed(key: string, sign: ProbeSign, now: number): ProbeVerdict
}

/** The order in which URLs are settled with `--deterministic`. */
export interface SettleOrder {
  /** The URL to be settled next; undefined if none is admitted. */
  readonly next: number | undefined
  /** True if the next URL has to be settled before another is admitted. */
  readonly isAlone: boolean
  /** Notes that the next URL is settled, and moves on to the one after it. */
  pass(): void
}

/** A URL that was left when the crawl ended. */
export interface LeftOverUrl {
  readonly url: string
  readonly depth: number
  readonly via?: string
}

/** The stored state of a frontier, with which a later run resumes. */
export interface FrontierSnapshot {
  /** The id of the URL that was found last. Ids are assigned in the order of discovery. */
  readonly lastUrl: number
  /** Number of pages that still have to be read again for their links. */
  readonly rereadCount: number
  /** Returns the URLs that were found after an id, at most `limit` of them, and the id of the last one. */
  urlsSince(id: number, limit: number): { readonly urls: readonly string[]; readonly last: number }
  /** Returns the URLs that are not finished. */
  leftOvers(): Iterable<LeftOverUrl>
  /** Returns the last robots.txt of an origin; undefined if it is not known. */
  robotsOf(origin: string): RobotsAnswer | undefined
  /** Resumes from the stored state of an earlier run. Returns how many URLs were in flight: they wait again. */
  resume(): number
  /**
   * Makes URLs wait again; to be called before `resume`. These are the URLs that were last visited at a time
   * (milliseconds since 1970) or earlier, and the ones that were not fetched, since the reason may no longer apply.
   */
  revisit(time: number): void
  /**
   * Makes URLs wait again whose failure was transient; to be called before `resume`.
   * @param retryStatus the statuses of `--retry-status`
   */
  retryFailed(retryStatus: readonly string[]): void
  /** Forgets the rules of robots.txt files, which are fetched again; to be called before `resume`. */
  forgetRobotsRules(): void
  /** Makes pages wait to be read again for their links; to be called before `resume`. */
  reread(scope: RereadScope): void
  /**
   * Turns external links that now belong to the crawl into ordinary ones, and makes those that were only checked wait to
   * be read; to be called before `reread`.
   */
  adoptExternal(belongs: (url: string) => boolean): void
  /** Makes forbidden and skipped URLs deeper than a depth wait again; to be called before `resume`. */
  reconsiderSkipped(below: number): void
  /** Lets later rounds visit dropped URLs again. */
  forgetDropped(): void
  /**
   * Drops waiting URLs that are no longer wanted; to be called before `resume`. Those with a record are not visited again
   * by later rounds. Yields the others.
   */
  dropUnwanted(isWanted: (url: WaitingUrl) => boolean): Iterable<WaitingUrl>
  /** Writes the state to the store. The owner of the store commits it. */
  save(): void
}
