import type { RobotsAnswer, RobotsFailure } from '../../messages/messages.ts'

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
  readonly witness: string | undefined
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
  /** True if the rules are large and left out here: `HostTable.robots` returns them. */
  readonly isLarge?: boolean
}

/** The table of hosts and of their robots.txt files. */
export interface HostTable {
  /** Number of hosts. */
  readonly count: number
  /** Adds a host that was not known. */
  insert(key: string): HostRecord
  /** Returns the id of a host, in half the time that `find` takes; undefined if it is not known. */
  idOf(key: string): number | undefined
  /** Returns the row of a host; undefined if it is not known. */
  find(key: string): StoredHost | undefined
  /** Writes the row of a host. */
  update(record: HostRecord): void
  /** Returns the robots.txt files of all origins of a host, without large rules. */
  robotsOf(host: number): [origin: string, known: KnownRobots][]
  /** Returns the robots.txt of an origin, complete; undefined if it is not stored. */
  robots(origin: string): KnownRobots | undefined
  /** Stores the robots.txt of an origin. */
  putRobots(host: number, origin: string, known: KnownRobots): void
}

/** The queue of hosts that have waiting URLs and are not in memory, by the time when they are due. */
export interface ParkedHostTable {
  /** Number of hosts that are awake. */
  readonly awake: number
  /** Number of all parked hosts. */
  readonly size: number
  /** When the first host is due, in milliseconds of the monotonic clock; infinite when there is none. */
  readonly firstAt: number
  /** Parks a host that leaves memory and has something to do at a time. */
  park(id: number, at: number, as: ParkedAs): void
  /** Notes that a host leaves memory and has nothing to do. */
  drop(id: number): void
  /** Parks a host outside of memory that has something to do now; does nothing if it is already parked. */
  parkNew(id: number, now: number): void
  /** Notes that a host is loaded into memory. */
  noteLoaded(id: number, parked: ParkedAs | undefined): void
  /** Returns hosts that are due, the longest overdue first and dormant ones last, and notes that they are loaded. */
  takeDue(now: number, limit: number): HostRecord[]
  /** Returns dormant hosts, due or not, and notes that they are loaded. */
  takeDormant(limit: number): HostRecord[]
}
