import type { TrapLimits } from '../traps/trap-limits.ts'

/** What tests set: chance, patience, evidence, and how often things are made durable. */
export interface Tuning {
  /** From 0 to 1, as `Math.random`. */
  readonly random: () => number
  /** Milliseconds without an outcome after which the log says what is being waited for. */
  readonly silence: number
  /** How much evidence it takes to leave a trap. */
  readonly trapLimits?: TrapLimits
  /** Milliseconds between two commits: what is visited meanwhile is visited again after a crash. */
  readonly commitEvery: number
  /** URLs after which the seen set is written down again; later ones are read from the database. */
  readonly snapshotEvery: number
}

export const TUNING: Tuning = {
  random: Math.random,
  silence: 60_000,
  commitEvery: 250,
  snapshotEvery: 1_000_000,
}
