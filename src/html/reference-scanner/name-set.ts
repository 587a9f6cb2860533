import { isLetter } from '../../encoding/ascii.ts'

/** A set of lower-case ASCII names, in which names of a page are looked up regardless of case. */
export class NameSet<Name extends string> {
  readonly names: readonly Name[]
  readonly #bytes: readonly Uint8Array[]
  /** A list of names for each length and first letter: the index of its first name, and of the next after each name. */
  readonly #first = new Int8Array(CELLS).fill(-1)
  readonly #next: Int8Array

  constructor(names: readonly Name[]) {
    this.names = names
    this.#bytes = names.map((name) => Buffer.from(name, 'latin1'))
    this.#next = new Int8Array(names.length)
    for (const [index, name] of names.entries()) {
      const cell = cellOf(name.length, name.charCodeAt(0))
      this.#next[index] = this.#first[cell] ?? -1
      this.#first[cell] = index
    }
  }

  /** Returns the index in `names` of the name at `start` to `end` of the page; -1 if it is none of them. */
  indexAt(page: Uint8Array, start: number, end: number): number {
    let index = this.#first[cellOf(end - start, page[start] ?? 0)] ?? -1
    while (index >= 0 && !isWordAt(page, start, this.#bytes[index])) index = this.#next[index] ?? -1
    return index
  }

  /** Returns the name at `start` to `end` of the page; undefined if it is none of the set. */
  at(page: Uint8Array, start: number, end: number): Name | undefined {
    const index = this.indexAt(page, start, end)
    return index < 0 ? undefined : this.names[index]
  }
}

/** Number of combinations of length and first letter, for names of up to 15 letters. Longer names aren't found. */
const CELLS = 16 * 32

function cellOf(length: number, first: number): number {
  return length * 32 + (first & 31)
}

function isWordAt(page: Uint8Array, at: number, word: Uint8Array | undefined): boolean {
  if (word === undefined) return false
  for (let i = 0; i < word.length; i++) {
    const byte = page[at + i] ?? 0
    if (byte !== word[i] && !(isLetter(byte) && (byte | 0x20) === word[i])) return false
  }
  return true
}
