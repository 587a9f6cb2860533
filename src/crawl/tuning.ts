import type { TrapLimits } from '../traps/trap-limits.ts'

/** Values that only tests change. */
export interface Tuning {
  /** Returns a number from 0 to 1, like `Math.random`. */
  readonly random: () => number
  /** Milliseconds without an event after which the log reports what the crawl waits for. */
  readonly silence: number
  /** Milliseconds beyond their time limits for which hooks may block a worker. */
  readonly hookGrace: number
  /** Evidence that makes a URL pattern a trap. */
  readonly trapLimits?: TrapLimits
  /** Minimum milliseconds between two commits. After a crash, visits since the last commit are repeated. */
  readonly commitEvery: number
  /** Number of new URLs after which the seen set is written again. Resuming reads newer URLs from the database. */
  readonly snapshotEvery: number
}

export const TUNING: Tuning = {
  random: Math.random,
  silence: 60_000,
  hookGrace: 30_000,
  commitEvery: 250,
  snapshotEvery: 1_000_000,
}
