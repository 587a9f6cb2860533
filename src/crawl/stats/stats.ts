import type { FailedHost } from '../../frontier/hosts/failed-host.ts'
import type { LoginCounts } from '../../login/login-counts.ts'
import type { ScreenshotCounts } from '../../screenshots/screenshot-counter.ts'
import type { SeenStats } from '../../seen/seen-set.ts'
import type { TrapExample } from '../../traps/trap-example.ts'
import type { UnmatchedPatterns } from '../../url/scope-patterns.ts'

/** Reason for the end of a crawl. */
export type EndReason = 'finished' | 'max-pages' | 'max-time' | 'stopped' | 'output-closed'

/** Words for the reason, in the log and the summary. */
export const END_REASON_TEXT: Readonly<Record<EndReason, string>> = {
  finished: 'Finished',
  'max-pages': 'Ended by --max-pages',
  'max-time': 'Ended by --max-time',
  stopped: 'Stopped',
  'output-closed': 'Ended: the reader of the output has gone',
}

/** A seed that could not be fetched. */
export interface SeedFailure {
  readonly url: string
  readonly reason: string
}

/** Statistics of one worker. */
export interface WorkerStats {
  /** Number of the worker, from 1. */
  readonly worker: number
  /** Milliseconds since the crawl began. */
  readonly elapsedMs: number
  /** Number of new URLs that the worker added to the seen set. */
  readonly setSize: number
  /** Number of URLs that were fetched. */
  readonly fetched: number
  /** Number of URLs that failed. */
  readonly failed: number
  /** Number of URLs that the worker is working on. */
  readonly inFlight: number
}

/** Statistics of a crawl. */
export interface Stats {
  /** Milliseconds since the crawl began, all of its runs together. */
  readonly elapsedMs: number
  /** Number of records. */
  readonly visits: number
  /** Number of records of this run; absent if there was no earlier one. */
  readonly visitsOfRun?: number
  /** Number of visits by HTTP status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Number of visits by error code. */
  readonly errors: Readonly<Record<string, number>>
  /** Number of visits with an error, without those that count as HTTP errors because of their status. */
  readonly failed: number
  /** Bytes of decoded bodies. */
  readonly bytes: number
  /** Number of URLs that wait. */
  readonly queued: number
  /** Number of URLs that workers are working on. */
  readonly inFlight: number
  /** Number of hosts of the URLs that were found. */
  readonly hosts: number
  /** Number of hosts that have stopped answering, and may come back. */
  readonly hostsAway: number
  /** Set while the job is paused, so that nothing is requested. */
  readonly paused?: true
  /** Number of failed attempts that were or will be retried. GET after HEAD, or the same URL with a new cookie, is no retry. */
  readonly retries: number
  /** Number of skipped URLs by reason; `duplicate` counts links and seeds. */
  readonly skipped: Readonly<Record<string, number>>
  /** Number of URLs that each rule of `--canonicalize` merged with others. */
  readonly merged: Readonly<Record<string, number>>
  /** The round of `--revisit-after` or `--retry-failed`, and its part of the counts; absent in the first one. */
  readonly round?: RoundStats
  /** Memory of the process in bytes. */
  readonly rss: number
  /** The seen set. */
  readonly seen: SeenStats
  /** Statistics of each worker. */
  readonly workers: readonly WorkerStats[]
}

/** Counts of visits and of skipped URLs. */
export type VisitCounts = Pick<
  Stats,
  'elapsedMs' | 'visits' | 'statuses' | 'errors' | 'failed' | 'bytes' | 'retries' | 'skipped'
>

/** Statistics of one round. */
export interface RoundStats extends VisitCounts {
  /** Number of the round, from 2. */
  readonly number: number
}

/** Number of pages that were rendered, and of pages that were not, by reason. */
export interface RenderCounts {
  readonly rendered: number
  /** Absent until a page should have a screenshot. */
  readonly screenshots?: ScreenshotCounts
  readonly unrendered: Readonly<Record<string, number>>
}

/** The hosts that were given up. */
interface GivenUpSummary {
  /** The first few hosts. */
  readonly first: readonly FailedHost[]
  /** Number of all of them. */
  readonly count: number
  /** Number of those that had answered before. */
  readonly hadAnswered: number
}

/** Statistics at the end of a crawl. */
export interface Summary extends Stats {
  /** Reason for the end of the crawl. */
  readonly reason: EndReason
  /** Hosts that were given up: their number, the number of those that had answered before, and the first few. */
  readonly givenUp: GivenUpSummary
  /** Set with `--render`. */
  readonly rendering?: RenderCounts
  /** Path patterns whose URLs were dropped as traps. */
  readonly traps: readonly TrapExample[]
  /** Number of seeds that were fetched; in a job, at least 1 if another process has fetched one. */
  readonly seedsAnswered: number
  /** Some of the seeds that could not be fetched. */
  readonly seedFailures: readonly SeedFailure[]
  /** Some of the seeds with an unusable response, or a status of 4xx or 5xx, unless all got the same status. */
  readonly seedErrors: readonly SeedFailure[]
  /**
   * Patterns of `--include`, `--exclude`, `--include-path` and `--exclude-path` that matched no URL; absent if other
   * runs or processes may have matched some.
   */
  readonly unmatchedPatterns?: UnmatchedPatterns
  /** Fields of `--extract` without a value on any page; absent if other runs or processes may have matched some. */
  readonly unmatchedFields?: readonly string[]
  /** The selector of `--content` if no page has its element; absent if other runs or processes may have found some. */
  readonly unmatchedContent?: string
  /** Number of pages on which a field of `--extract` had further matches, which were not taken, by field name. */
  readonly severalMatches: Readonly<Record<string, number>>
  /** Number of pages, and of bodies to be saved, that are longer than `--max-body` and were cut. */
  readonly cutBodies: number
  /** The status of 4xx or 5xx that all seeds were answered with. */
  readonly seedRefusal?: number
  /** Set with `--login` if URLs led to the login page: how often the crawl logged in again, and the URLs it lost. */
  readonly login?: LoginCounts
}
