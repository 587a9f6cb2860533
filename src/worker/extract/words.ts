import { isLetter } from './ascii.ts'

/** Lower-case ASCII names that a page may write in whatever case. */
export class Words<Name extends string> {
  readonly names: readonly Name[]
  readonly #bytes: readonly Uint8Array[]
  /** Indexes of the words that share a length and a first letter: a few at most. */
  readonly #cells = new Map<number, readonly number[]>()
  /** Which cells there are: an answer without a look-up for nearly every name. */
  readonly #isCell = new Uint8Array(CELLS)

  constructor(names: readonly Name[]) {
    this.names = names
    this.#bytes = names.map((name) => Buffer.from(name, 'latin1'))
    for (const [index, name] of names.entries()) {
      const cell = cellOf(name.length, name.charCodeAt(0))
      this.#cells.set(cell, [...(this.#cells.get(cell) ?? []), index])
      this.#isCell[cell] = 1
    }
  }

  /** Which word `page` holds from `start` to `end`, as its index in `names`; -1 for none. */
  indexAt(page: Uint8Array, start: number, end: number): number {
    const cell = cellOf(end - start, page[start] ?? 0)
    if (this.#isCell[cell] !== 1) return -1
    for (const index of this.#cells.get(cell) ?? [])
      if (holds(page, start, this.#bytes[index])) return index
    return -1
  }

  /** The word that `page` holds from `start` to `end`. */
  at(page: Uint8Array, start: number, end: number): Name | undefined {
    const index = this.indexAt(page, start, end)
    return index < 0 ? undefined : this.names[index]
  }
}

/** Room for words of up to 15 letters; longer names fall outside. */
const CELLS = 16 * 32

function cellOf(length: number, first: number): number {
  return length * 32 + (first & 31)
}

function holds(page: Uint8Array, at: number, word: Uint8Array | undefined): boolean {
  if (word === undefined) return false
  for (let i = 0; i < word.length; i++) {
    const byte = page[at + i] ?? 0
    if (byte !== word[i] && !(isLetter(byte) && (byte | 0x20) === word[i])) return false
  }
  return true
}
