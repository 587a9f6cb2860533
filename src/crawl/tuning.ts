/** What tests set: chance and patience. */
export interface Tuning {
  /** From 0 to 1, as `Math.random`. */
  readonly random: () => number
  /** Milliseconds without an outcome after which the log says what is being waited for. */
  readonly silence: number
}

export const TUNING: Tuning = { random: Math.random, silence: 60_000 }
