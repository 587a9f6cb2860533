import type {
  Findings,
  LinkedUrls,
  ResourceRequest,
  RobotsAnswer,
  RobotsReply,
} from '../messages/messages.ts'
import type { Hop } from '../records/crawl-url.ts'
import type { TrapExample } from '../traps/trap-guard.ts'
import type { Action, ResourceAction } from './action.ts'
import type {
  AttemptSign,
  AttemptVerdict,
  ProbeSign,
  ProbeVerdict,
} from './hosts/availability-signs.ts'
import type { FailedHost, HostReport } from './hosts/host-health.ts'
import type { BusyHosts } from './hosts/host-stats.ts'
import type { PolitenessOptions } from './hosts/politeness-options.ts'
import type { Sleepers } from './hosts/wait-histogram.ts'

export interface FrontierOptions extends PolitenessOptions {
  /** Maximum depth. */
  readonly depth: number
  readonly ignoreRobots: boolean
  /** True to fetch only what shows where a crawl would lead. */
  readonly dryRun?: boolean
}

/**
 * Decides what the crawl fetches next: it keeps the URLs that were found, each at the depth of its shortest
 * path, and treats hosts politely. Its contract is test/frontier/frontier-contract.ts.
 *
 * Times are milliseconds of the monotonic clock, as `performance.now()` returns them. A URL has an id from the
 * action that hands it out. It is unfinished until `visited` or `failed` is called, or until an action says
 * that it is not fetched.
 *
 * `keepLinks` of a URL that is handed out asks for all links of its page, not only the new ones. It is set while
 * a shorter path to the page may be found, and when the page runs again: a worker that died may have added its
 * links to the seen set without reporting them.
 */
export interface Frontier {
  /** Number of URLs that are not finished: they wait, are in flight, or will be tried again. */
  readonly unfinished: number
  /** Number of URLs that wait to be handed out. */
  readonly waiting: number
  /** When `take` has something to return again; undefined when that depends on what is in flight. */
  readonly wakeAt: number | undefined
  /** True while the job is paused, so that `take` returns nothing. */
  readonly isPaused: boolean
  /** True when URLs wait that will never be handed out, because what is stored is damaged. */
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

  /** Returns the URL of an id; undefined when there is none. */
  urlOf(id: number): string | undefined
  /** Adds a URL with which the crawl begins. */
  addSeed(url: string, now: number): void
  /** Adds sitemaps that robots.txt names. */
  addSitemaps(urls: readonly string[], now: number): void
  /** Returns the actions that may be carried out now, at most `max` of them. */
  take(max: number, now: number): Action[]
  /** Finishes a page that was visited, and adds the URLs that it leads to. */
  visited(id: number, findings: Findings, now: number): void
  /** Adds the URLs that a page in flight leads to, whatever becomes of the page. */
  addLinks(id: number, named: LinkedUrls, now: number): void
  /** Finishes a URL that failed for good. @param isReplaced true if another one is tried in its place, and has the record */
  failed(id: number, now: number, isReplaced?: boolean): void
  /** Tries a URL again after a pause in milliseconds; at once, and not as a failure, when it is undefined. */
  retry(id: number, after: number | undefined, now: number): void
  /** Returns a URL that was not requested to its queue. */
  returnUnsent(id: number, now: number): void
  /** Returns the hosts whose URLs are to be recalled from workers, each once. */
  takeHostsToRecall(): string[]
  /** Lets no URL wait in workers from now on: `queuedPerHost` of the options holds no longer. */
  endQueueing(): void
  /** Takes in what a request says about its host. Returns the host if it is given up: its URLs will be skipped. */
  report(id: number, report: HostReport, now: number): FailedHost | undefined
  /** Takes in a reply to a request for robots.txt. It gives up early if `isHasty`: others wait for the verdict. */
  setRobots(origin: string, reply: RobotsReply, now: number, isHasty?: boolean): void
  /** Takes in the address of a host; undefined when none was found. */
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

/** Ends of URLs that `visited` and `failed` don't cover. */
interface UrlCompletion {
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
  /** When `take` has something to return again; undefined when that depends on what is in flight. */
  readonly wakeAt: number | undefined
  /** Adds a request. */
  add(request: ResourceRequest): void
  /** Returns the actions that may be carried out now. */
  take(now: number): ResourceAction[]
  /** Ends a request, and frees its host. */
  end(id: number, report: HostReport, now: number): void
}

/** Hosts that stop answering: they are waited for, and given up when that takes too long. */
interface OutageHandling {
  /** Takes in what an attempt says about its host. Returns the consequences for its URL and its host. */
  judge(id: number, sign: AttemptSign, now: number): AttemptVerdict
  /** Returns a URL that failed to its queue: its host has failed, not the URL. */
  putBack(id: number, now: number): void
  /** Takes in the reply to a probe. Returns the consequences for held failures and the host. */
  probed(key: string, sign: ProbeSign, now: number): ProbeVerdict
}

/** The order in which URLs are settled with `--deterministic`. */
export interface SettleOrder {
  /** The URL to be settled next; undefined when none is admitted. */
  readonly next: number | undefined
  /** True when the next URL has to be settled before another is admitted. */
  readonly isAlone: boolean
  /** Moves on: the next URL is settled. */
  pass(): void
}

/** Pages that are read again: all, the seeds, or those from a depth on. */
export type RereadScope = 'all' | 'seeds' | { readonly fromDepth: number }

/** A URL that waits. */
export interface WaitingUrl {
  readonly id: number
  readonly url: string
  readonly depth: number
  readonly hop: Hop
  readonly via: string | null
}

/** A URL that was left when the crawl ended. */
export interface LeftOverUrl {
  readonly url: string
  readonly depth: number
  readonly via?: string
}

/** The stored state of a frontier, with which a later run resumes. */
export interface FrontierSnapshot {
  /** Id of the URL that was found last: ids are given in that order. */
  readonly lastUrl: number
  /** Number of pages that are left to be read again for their links. */
  readonly rereadCount: number
  /** Returns the URLs that were found after an id, at most `limit` of them, and the id of the last one. */
  urlsSince(id: number, limit: number): { readonly urls: readonly string[]; readonly last: number }
  /** Returns the URLs that are not finished. */
  leftOvers(): Iterable<LeftOverUrl>
  /** Returns the last robots.txt of an origin; undefined when it is not known. */
  robotsOf(origin: string): RobotsAnswer | undefined
  /** Resumes what an earlier run has stored. Returns how many URLs were in flight: they wait again. */
  resume(): number
  /**
   * Has URLs visited again, before `resume`: those visited at a time (milliseconds since 1970) or earlier, and
   * those that were not fetched, since the reason may be gone.
   */
  revisit(time: number): void
  /**
   * Has URLs fetched again, before `resume`, whose failure was transient.
   * @param retryStatus the statuses of `--retry-status`
   */
  retryFailed(retryStatus: readonly string[]): void
  /** Has pages read again for their links, before `resume`. */
  reread(scope: RereadScope): void
  /** Has URLs below a depth judged again, before `resume`, that were forbidden or skipped. */
  reconsiderSkipped(below: number): void
  /** Removes waiting URLs that are not wanted any more, before `resume`. Yields those that have no record. */
  dropUnwanted(isWanted: (url: WaitingUrl) => boolean): Iterable<WaitingUrl>
  /** Writes the state to the store; its owner commits it. */
  save(): void
}
