/** A page that kills this many workers is given up. */
const MAX_DEATHS = 3

/** How many workers died with a URL in their hands. */
export class Deaths {
  readonly #counts = new Map<number, number>()

  /** @returns whether the URL may be tried again */
  count(id: number): boolean {
    const deaths = (this.#counts.get(id) ?? 0) + 1
    this.#counts.set(id, deaths)
    return deaths < MAX_DEATHS
  }
}
