/** Milliseconds that a rate is taken over: long enough to be read, short enough to be of now. */
const WINDOW = 3_000

/** How fast some numbers grow. */
export class Rates {
  readonly #samples: { readonly at: number; readonly counts: readonly number[] }[] = []

  /**
   * @param at milliseconds, not falling
   * @param counts the same numbers each time
   * @returns how much each of them grows in a second, of late
   */
  next(at: number, counts: readonly number[]): number[] {
    this.#samples.push({ at, counts })
    while ((this.#samples[1]?.at ?? at) <= at - WINDOW) this.#samples.shift()
    const first = this.#samples[0]
    const ms = at - (first?.at ?? at)
    return counts.map((count, place) =>
      ms > 0 ? ((count - (first?.counts[place] ?? 0)) * 1_000) / ms : 0,
    )
  }
}
