/** Maximum number of signs of a page. */
const MAX_SIGNS = 3

/** Pages that wait for a browser, in order: first those with more signs that they need one, then by arrival. */
export class RenderOrder<Key, Page> {
  readonly #bySigns: readonly Map<Key, Page>[]

  constructor() {
    this.#bySigns = Array.from({ length: MAX_SIGNS + 1 }, () => new Map<Key, Page>())
  }

  add(key: Key, page: Page, signs: number): void {
    this.#bySigns[MAX_SIGNS - Math.min(signs, MAX_SIGNS)]?.set(key, page)
  }

  delete(key: Key): void {
    for (const pages of this.#bySigns) pages.delete(key)
  }

  *[Symbol.iterator](): Generator<readonly [Key, Page]> {
    for (const pages of this.#bySigns) yield* pages
  }
}
