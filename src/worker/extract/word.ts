import { isLetter } from './ascii.ts'

/** A lower-case ASCII name that a page may write in whatever case. */
export class Word {
  readonly name: string
  readonly #bytes: Uint8Array

  constructor(name: string) {
    this.name = name
    this.#bytes = Buffer.from(name, 'latin1')
  }

  get length(): number {
    return this.#bytes.length
  }

  /** Whether `page` holds the word at `at`. */
  isAt(page: Uint8Array, at: number): boolean {
    const bytes = this.#bytes
    for (let i = 0; i < bytes.length; i++) {
      const byte = page[at + i] ?? 0
      const wanted = bytes[i] ?? 0
      if (byte !== wanted && !(isLetter(byte) && (byte | 0x20) === wanted)) return false
    }
    return true
  }
}

/** Words found by their length and first letter; at most a few share both. */
export class WordTable {
  readonly #cells: (readonly Word[] | undefined)[] = []

  constructor(names: readonly string[]) {
    const cells = Map.groupBy(
      names.map((name) => new Word(name)),
      (word) => cellOf(word.length, word.name.charCodeAt(0)),
    )
    for (let cell = 0; cell <= Math.max(...cells.keys()); cell++) this.#cells.push(cells.get(cell))
  }

  /** The word that `page` holds from `start` to `end`. */
  find(page: Uint8Array, start: number, end: number): string | undefined {
    const words = this.#cells[cellOf(end - start, page[start] ?? 0)]
    if (words === undefined) return undefined
    for (const word of words) if (word.isAt(page, start)) return word.name
    return undefined
  }
}

function cellOf(length: number, first: number): number {
  return length * 32 + (first & 31)
}
