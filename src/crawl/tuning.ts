import type { TrapLimits } from '../traps/trap-limits.ts'

/** Values that only tests change. */
export interface Tuning {
  /** Returns a number from 0 to 1, like `Math.random`. */
  readonly random: () => number
  /** Milliseconds without an event before the log says what the crawl waits for. */
  readonly silence: number
  /** Milliseconds beyond its time limits that hooks may keep a worker from all else. */
  readonly hookGrace: number
  /** Evidence that makes a URL pattern a trap. */
  readonly trapLimits?: TrapLimits
  /** Milliseconds between two commits: visits since the last one are repeated after a crash. */
  readonly commitEvery: number
  /** Number of new URLs before the seen set is written again; a resume reads newer ones from the database. */
  readonly snapshotEvery: number
}

export const TUNING: Tuning = {
  random: Math.random,
  silence: 60_000,
  hookGrace: 30_000,
  commitEvery: 250,
  snapshotEvery: 1_000_000,
}
