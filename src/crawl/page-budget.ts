/** Computes how many pages `--max-pages` still allows in the round. */
export class PageBudget {
  readonly #maxPages: number
  readonly #tally: { readonly visitsOfRound: number }

  constructor(maxPages: number | undefined, tally: { readonly visitsOfRound: number }) {
    this.#maxPages = maxPages ?? Number.POSITIVE_INFINITY
    this.#tally = tally
  }

  /** Number of records that may still be written in this round. */
  get left(): number {
    return this.#maxPages - this.#tally.visitsOfRound
  }
}
