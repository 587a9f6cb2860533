/** Time span of a rate in milliseconds: long enough to be readable, short enough to be current. */
const WINDOW_MS = 3_000

/** Measures growth rates. */
export class RateMeter {
  readonly #samples: { readonly at: number; readonly counts: readonly number[] }[] = []

  /**
   * @param at milliseconds, never decreasing
   * @param counts values of the same counters in each call
   * @returns the recent growth of each count per second
   */
  next(at: number, counts: readonly number[]): number[] {
    this.#samples.push({ at, counts })
    while ((this.#samples[1]?.at ?? at) <= at - WINDOW_MS) this.#samples.shift()
    const first = this.#samples[0]
    const ms = at - (first?.at ?? at)
    return counts.map((count, place) =>
      ms > 0 ? ((count - (first?.counts[place] ?? 0)) * 1_000) / ms : 0,
    )
  }
}
