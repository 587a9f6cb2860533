import { mixBits } from '../../hashing/mix-bits.ts'
import { randomWords } from '../../hashing/random-words.ts'

/** 4 MiB in all. A trap has a few hundred texts; texts of honest pages come and go. */
const CELL_BITS = 20
/** Bits of a cell that hold the count; the others identify the text. */
const COUNT_BITS = 6
const COUNT = 2 ** COUNT_BITS - 1
/** How often a rare text was shown before, at most: sites keep versions of a page. */
export const MAX_RARE = 31

/**
 * Counts how often texts and pictures were shown, by their hashes, in memory that all workers share.
 *
 * Texts with the same cell compete for it as in Misra and Gries' "Finding repeated elements" (1982): a new text
 * takes one from the count, and the cell when the count is 0. So frequent texts stay, rare ones give way, and a
 * count is never too high: when in doubt a text is rare. That is why it needs no lock: counts that two threads
 * write at the same time lose one.
 */
export class TextCountTable {
  /** Random, so that no site can choose texts that are counted as another's. */
  readonly key: number
  readonly #cells: Uint32Array

  constructor(memory: SharedArrayBuffer) {
    this.#cells = new Uint32Array(memory)
    this.key = this.#cells[2 ** CELL_BITS] ?? 0
  }

  static allocate(): SharedArrayBuffer {
    const memory = new SharedArrayBuffer((2 ** CELL_BITS + 1) * Uint32Array.BYTES_PER_ELEMENT)
    new Uint32Array(memory)[2 ** CELL_BITS] = randomWords(1)[0] ?? 0
    return memory
  }

  /**
   * Counts a text. Returns how often it was shown before, or less; a common one no longer counts.
   * @param first its hash, and another one: few texts share both
   */
  count(first: number, second: number): number {
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
