/**
 * What an approximate seen set is made of: membership of 64-bit hashes, in memory that all threads
 * share. FilterSeenSet makes a seen set of it.
 */
export interface UrlFilter {
  /** Called before each batch: looks at what other threads and time have changed. */
  refresh(): void
  has(first: number, second: number): boolean
  /** As `has`, and remembers that the URL was met. */
  meet(first: number, second: number): boolean
  /** Adds a URL that it hasn't; the caller holds the lock of the hash. False when it has it by now. */
  add(first: number, second: number): boolean
  /** Chance that a URL which isn't in here is taken for one that is. */
  readonly rate: number
  /** Share of the room that is taken, 0 to 1. */
  readonly fill: number
  readonly bytes: number
  /** Frees what the dead thread `owner` had in its hands. */
  release(owner: number): void
}
