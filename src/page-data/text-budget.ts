/** Room for what is taken from one page: a record is no place for more. */
export class TextBudget {
  #left: number
  /** Something didn't fit. */
  isExceeded = false

  /** @param characters that there is room for */
  constructor(characters: number) {
    this.#left = characters
  }

  /** As much of a text as there is room for. */
  take(text: string): string {
    if (text.length > this.#left) this.isExceeded = true
    const kept = text.slice(0, this.#left)
    this.#left -= kept.length
    return kept
  }
}
