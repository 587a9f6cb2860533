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
    const kept = firstCharacters(text, Math.max(0, this.#left))
    this.#left -= Math.max(1, kept.length)
    return kept
  }
}

/** Returns the start of a text, at most `length` code units, which ends with a whole character. */
export function firstCharacters(text: string, length: number): string {
  // The first half of a surrogate pair may be left at the end.
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}
