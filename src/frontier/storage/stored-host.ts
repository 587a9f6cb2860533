import type { RobotsAnswer, RobotsFailure } from '../../messages/from-worker.ts'

/** The stored health of a host. */
export interface HealthRecord {
  /** Failures in a row. */
  readonly errors: number
  /** Number of times that the host asked for a longer pause than --max-retry-after allows. */
  readonly demands: number
  /** The reason for giving the host up. */
  readonly failure: string | undefined
}

/** The stored availability of a host. */
export interface AvailabilityRecord {
  /** A URL that the host has answered; undefined if it never answered. */
  readonly answeredUrl: string | undefined
  /** Since when the host is away, in milliseconds of the monotonic clock; undefined while it answers. */
  readonly awaySince: number | undefined
}

/** The stored request rate of a host. */
export interface LoadRecord {
  /** No request before this time, in milliseconds of the monotonic clock. */
  readonly notBefore: number
  /** Adaptive pause, in milliseconds. */
  readonly pause: number
  /** Pages that were requested, each once. */
  readonly pages: number
}

/** The stored row of a host. */
export interface HostRecord extends HealthRecord, AvailabilityRecord, LoadRecord {
  readonly id: number
  /** Host name and port. */
  readonly key: string
}

/** The kind of a parked host: one outside of memory with waiting URLs. The crawl doesn't wait for dormant ones. */
export type ParkedAs = 'awake' | 'dormant'

/** A stored host; `parked` is undefined if it isn't parked. */
export interface StoredHost extends HostRecord {
  readonly parked: ParkedAs | undefined
}

/** A failure to fetch robots.txt. The next attempt is `waited` milliseconds after the first failure. */
export interface StoredRobotsFailure extends RobotsFailure {
  readonly failures: number
  readonly waited?: number
}

/**
 * The robots.txt of an origin, and until when it is valid (monotonic clock). If the file was
 * unreachable, `failures` counts the attempts, and `until` is the time of the next one.
 */
export interface KnownRobots {
  readonly answer: RobotsAnswer | StoredRobotsFailure
  readonly until: number
  /** True if the rules are large and left out here: `HostStore.robots` returns them. */
  readonly isLarge?: boolean
}
