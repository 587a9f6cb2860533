import type { TrapLimits } from '../frontier/traps/trap-limits.ts'

/** What tests set: chance and patience. */
export interface Tuning {
  /** From 0 to 1, as `Math.random`. */
  readonly random: () => number
  /** Milliseconds without an outcome after which the log says what is being waited for. */
  readonly silence: number
  /** How much evidence it takes to leave a trap. */
  readonly trapLimits?: TrapLimits
}

export const TUNING: Tuning = { random: Math.random, silence: 60_000 }
