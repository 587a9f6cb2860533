/**
 * Approximate membership of 64-bit hashes, in memory that all threads share. FilterSeenSet builds a
 * seen set on it.
 */
export interface UrlFilter {
  /** Called before each batch: picks up changes by other threads. Absent where each call sees them. */
  refresh?(): void
  has(first: number, second: number): boolean
  /** Like `has`, but also records that the URL was found again. */
  touch(first: number, second: number): boolean
  /**
   * Adds a missing URL. The caller holds the lock of the hash. Returns false if it has been added
   * meanwhile.
   */
  add(first: number, second: number): boolean
  /** Probability that a URL which isn't here is taken for a known one. */
  readonly falsePositiveRate: number
  /** Share of the capacity in use, 0 to 1. */
  readonly fill: number
  readonly bytes: number
  /** Releases the locks of the dead thread `owner`. Absent without locks. */
  release?(owner: number): void
}
