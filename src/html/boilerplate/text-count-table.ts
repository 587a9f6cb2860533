import { mixBits } from '../../hashing/mix-bits.ts'
import { randomWords } from '../../hashing/random-words.ts'
import { allocatePages } from '../../runtime/allocate-pages.ts'

/**
 * Binary logarithm of the number of cells, which take 4 MiB. A trap has a few hundred texts that stay in the table.
 * Texts of real pages are soon replaced.
 */
const CELL_BITS = 20
/** Number of bits of a cell that contain the count. The other bits identify the text. */
const COUNT_BITS = 6
const COUNT = 2 ** COUNT_BITS - 1
/** Number of texts of a thread after which the memory is allocated at once. */
const ALLOCATED_AT = 64
/** Maximum number of times that a rare text was shown before: sites may have many versions of the same page. */
export const MAX_RARE = 31

/** Counts how often texts and media were shown, by their hashes. */
export interface TextCounts {
  /** A random key for hashes, so that no site can create texts that are counted as texts of another site. */
  readonly key: number
  /**
   * Counts a text, unless it is already frequent. Returns how often it was shown before, or a lower number.
   * @param first a hash of the text
   * @param second an independent hash of the text: few texts share both
   */
  count(first: number, second: number): number
}

/**
 * Counts how often texts and media were shown, by their hashes, in memory that all workers share.
 *
 * Texts with the same cell compete for it as in Misra and Gries' "Finding repeated elements" (1982): another text
 * lowers the count by one, and takes over the cell if the count is 0. So frequent texts stay, and rare ones are
 * replaced. A count is never too high, so in doubt a text counts as rare. Therefore no lock is needed: if two threads
 * write to a cell at the same time, one of their counts is lost.
 */
export class TextCountTable implements TextCounts {
  readonly key: number
  readonly #cells: Uint32Array
  #counted = 0

  constructor(memory: SharedArrayBuffer) {
    this.#cells = new Uint32Array(memory)
    this.key = this.#cells[2 ** CELL_BITS] ?? 0
  }

  static allocate(): SharedArrayBuffer {
    const memory = new SharedArrayBuffer((2 ** CELL_BITS + 1) * Uint32Array.BYTES_PER_ELEMENT)
    new Uint32Array(memory)[2 ** CELL_BITS] = randomWords(1)[0] ?? 0
    return memory
  }

  count(first: number, second: number): number {
    if (this.#counted++ === ALLOCATED_AT) allocatePages(this.#cells)
    const index = mixBits(first) >>> (32 - CELL_BITS)
    const tag = mixBits(second) >>> COUNT_BITS
    const cell = this.#cells[index] ?? 0
    const times = cell & COUNT
    if (times === 0) this.#cells[index] = (tag << COUNT_BITS) | 1
    else if (cell >>> COUNT_BITS !== tag) {
      this.#cells[index] = cell - 1
      return 0
    } else if (times <= MAX_RARE) this.#cells[index] = cell + 1
    return times
  }
}
