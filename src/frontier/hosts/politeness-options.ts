import type { TrapLimits } from '../../traps/trap-limits.ts'

/** Why a host gets no request for a time. */
export type PauseReason = 'delay' | 'crawl-delay' | 'retry-after' | 'away'

/** The reasons in words. */
export const PAUSE_TEXT: Readonly<Record<PauseReason, string>> = {
  delay: 'the pause between requests',
  'crawl-delay': 'Crawl-delay in robots.txt',
  'retry-after': 'Retry-After of a response',
  away: 'it does not answer',
}

/** Options for the treatment of hosts. */
export interface PolitenessOptions {
  /** Requests in flight per host. */
  readonly perHost: number
  /**
   * URLs of a host that may wait in workers until one of its requests has ended, so that the next one begins at once.
   * 0, unless the workers together make no more than `perHost` requests at a time.
   */
  readonly queuedPerHost?: number
  /** Workers, and requests in flight of each; without them all hosts together may have any number. */
  readonly workers?: number
  readonly concurrency?: number
  /** Milliseconds for an answer; without it none counts as slow. */
  readonly timeout?: number
  /** Pause between two requests to a host, in milliseconds. */
  readonly delay: number
  /** The part of a pause by which it may be longer, at random. */
  readonly jitter?: number | undefined
  /** Returns a number from 0 to 1, like `Math.random`; needed for a jitter. */
  readonly random?: () => number
  /** Maximum pages per host. */
  readonly maxPerHost?: number | undefined
  /** Maximum pages of all hosts of a registrable domain. */
  readonly maxPerDomain?: number | undefined
  /** Consecutive failures after which a host is given up. */
  readonly maxHostErrors?: number
  /** The longest pause that a host may ask for, in milliseconds. */
  readonly maxRetryAfter?: number
  /** Milliseconds to wait for a host that has stopped answering. */
  readonly hostPatience?: number
  /** True when robots.txt is not requested at all. */
  readonly ignoreRobots?: boolean
  /** True when the pause follows the latency of the host. */
  readonly adaptive?: boolean
  /** True when hosts at the same address count as one. */
  readonly perIp?: boolean
  /** True when endless URL spaces are recognized and left. */
  readonly traps?: boolean
  /** The evidence that it takes to recognize a trap. */
  readonly trapLimits?: TrapLimits | undefined
  /** Hosts in memory; further ones wait in the database. */
  readonly hostsInMemory?: number
  /** True when URLs are settled in one order: see deterministic/level-order.ts. */
  readonly deterministic?: boolean
  /** Called when a host is to get no request for some milliseconds. */
  readonly onPause?: ((host: string, pause: number, reason: PauseReason) => void) | undefined
}
