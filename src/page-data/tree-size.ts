/**
 * Maximum elements and attributes of the tree of a page. Pages have 1 Mi characters, so real ones stay far below. But
 * parsers copy formatting elements that a page leaves open, such as `<b>`, into each further paragraph.
 */
const MAX_PARTS = 2 ** 18

/** Tags of the formatting elements of the HTML standard. */
const FORMATTING_TAG =
  /<(\/?)(a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?![^\t\n\f\r />])/gi

/** Counts the elements and attributes of a tree while a parser creates it. */
export class TreeSize {
  #parts = 0

  /** @throws Error if the tree is too large */
  add(attributes: number): void {
    this.#parts += 1 + attributes
    if (this.#parts > MAX_PARTS) {
      throw new Error(`its tree has more than ${MAX_PARTS} elements and attributes`)
    }
  }
}

/** Returns whether the tree of a page may be too large: false for nearly all pages, in a fraction of the time of a parser. */
export function maybeTooLarge(html: string): boolean {
  const tags = html.split('<').length
  return tags * mostFormattingElements(html) > MAX_PARTS
}

/** Returns the maximum number of formatting elements that are open at a time. */
function mostFormattingElements(html: string): number {
  const openByName = new Map<string, number>()
  let open = 0
  let most = 0
  for (const [, slash, name = ''] of html.matchAll(FORMATTING_TAG)) {
    const lower = name.toLowerCase()
    const same = openByName.get(lower) ?? 0
    const step = slash === '' ? 1 : -Math.min(1, same)
    openByName.set(lower, same + step)
    open += step
    most = Math.max(most, open)
  }
  return most
}
