/** The reason why a host gets no request for a time. */
export type PauseReason = 'delay' | 'crawl-delay' | 'retry-after' | 'away'

/** The reasons as texts for users. */
export const PAUSE_TEXT: Readonly<Record<PauseReason, string>> = {
  delay: 'the pause between requests',
  'crawl-delay': 'Crawl-delay in robots.txt',
  'retry-after': 'Retry-After of a response',
  away: 'it does not answer',
}

/** Options for the treatment of hosts. */
export interface PolitenessOptions {
  /** Maximum requests in flight per host. */
  readonly perHost: number
  /**
   * Maximum URLs of a host that may wait in workers until one of its requests has ended, so that the next request
   * begins at once. It must be 0 unless all workers together make at most `perHost` requests at a time.
   */
  readonly queuedPerHost?: number
  /** Number of workers, and maximum requests in flight of each. Without them, the total is unlimited. */
  readonly workers?: number
  readonly concurrency?: number
  /** Maximum requests per second of the whole crawl; unlimited by default. Workers obey it. */
  readonly rate?: number | undefined
  /** Maximum milliseconds for a response. Without it, no response counts as slow. */
  readonly timeout?: number
  /** Pause between two requests to a host, in milliseconds. */
  readonly delay: number
  /** Other pauses by host, for its subdomains, too. */
  readonly hostDelay?: Readonly<Record<string, number>>
  /** Maximum share of a pause that is added to it at random. */
  readonly jitter?: number | undefined
  /** Returns a number from 0 to 1, like `Math.random`; needed for a jitter. */
  readonly random?: () => number
  /** Maximum pages per host. */
  readonly maxPerHost?: number | undefined
  /** Maximum pages of all hosts of a registrable domain. */
  readonly maxPerDomain?: number | undefined
  /** Maximum further attempts at a URL after failures; unlimited by default. */
  readonly retries?: number
  /** Consecutive failures after which a host is given up. */
  readonly maxHostErrors?: number
  /** The longest pause that a host may ask for, in milliseconds. */
  readonly maxRetryAfter?: number
  /** Milliseconds to wait for a host that has stopped answering. */
  readonly hostPatience?: number
  /** True if robots.txt is not requested at all. */
  readonly ignoreRobots: boolean
  /** True if the pause follows the latency of the host. */
  readonly adaptive?: boolean
  /** True if hosts at the same address count as one. */
  readonly perIp?: boolean
  /** Maximum number of hosts in memory. Further hosts wait in the database. */
  readonly hostsInMemory?: number
  /** Called when a host pauses for some milliseconds. */
  readonly onPause?: ((host: string, pause: number, reason: PauseReason) => void) | undefined
}
