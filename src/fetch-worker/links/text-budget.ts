/** Characters, and so many for each text besides. */
const MOST = 2 ** 21
const BESIDES = 64

/** How much text a worker may remember: some 16,000 URLs of the usual length. */
export class TextAllowance {
  #used = 0

  get isUsedUp(): boolean {
    return this.#used > MOST
  }

  use(text: string): void {
    this.#used += text.length + BESIDES
  }

  /** To be called when all was forgotten. */
  reset(): void {
    this.#used = 0
  }
}
