/** Limits the text in the data of one page, so that records stay small. */
export class TextBudget {
  #left: number
  /** True if some text did not fit. */
  isExceeded = false

  /** @param characters maximum characters of all texts together */
  constructor(characters: number) {
    this.#left = characters
  }

  get isSpent(): boolean {
    return this.#left <= 0
  }

  /** Returns as much of a text as fits. Empty texts count as one character, since there may be millions of them. */
  take(text: string): string {
    if (text.length > this.#left) this.isExceeded = true
    const kept = text.slice(0, Math.max(0, this.#left))
    this.#left -= Math.max(1, kept.length)
    return kept
  }
}
