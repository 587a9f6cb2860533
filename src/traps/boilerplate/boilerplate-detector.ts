import { type Showing, Shown } from '../../html/scanner/text-samples.ts'
import { ShownTable } from './text-count-table.ts'
import { TextWords } from './text-words.ts'
import { UrlWords } from './url-words.ts'

const FIRST_PRIME = 0x01000193
const SECOND_PRIME = 0x5bd1e995
const THOROUGH_EVERY = 8

/**
 * Tells whether a page shows anything that its host has not shown often before: a text, numbers and
 * words of the page's own URL left out, or a picture.
 *
 * Pages that differ in a date, a counter, or in what they echo of their URL are the same in this, and so
 * are pages whose links alone differ. One text of its own is enough for a page to be fresh, however
 * much it shares with all others of its host.
 */
export class Novelty {
  /** What the scanner passed over: to be filled before `isFresh` is asked. */
  readonly shown = new Shown()
  readonly #table: ShownTable
  readonly #words: TextWords
  readonly #urlWords: UrlWords
  #pages = 0

  constructor(memory: SharedArrayBuffer) {
    this.#table = new ShownTable(memory)
    this.#words = new TextWords(this.#table.key)
    this.#urlWords = new UrlWords(this.#words)
  }

  /**
   * Counts what the page shows, so to be asked once per page. Most pages show something rare at once,
   * and that settles it; the rest of the page is looked at in every eighth, so that what all pages
   * have in common is soon known to be common.
   */
  isFresh(url: string): boolean {
    this.#urlWords.take(url)
    const isThorough = this.#pages++ % THOROUGH_EVERY === 0
    let isFresh = false
    for (let index = 0; index < this.shown.count; index++) {
      if (!this.#isRare(this.shown.at(index))) continue
      isFresh = true
      if (!isThorough) break
    }
    return isFresh
  }

  #isRare({ start, end, isMedia }: Showing): boolean {
    return isMedia ? this.#isRarePicture(start, end) : this.#isRareText(start, end)
  }

  /** Both as it stands and without what the URL says: a word of the text may be in the URL by chance. */
  #isRareText(start: number, end: number): boolean {
    const words = this.#words
    words.read(this.shown.bytes, start, end)
    let first = this.#urlWords.hostHash
    let second = 0
    let bareFirst = first
    let bareSecond = 0
    let bareCount = 0
    for (let i = 0; i < words.count; i++) {
      const word = words.hashes[i] ?? 0
      first = Math.imul(first ^ word, FIRST_PRIME)
      second = Math.imul(second + word, SECOND_PRIME)
      if (this.#urlWords.has(word)) continue
      bareFirst = Math.imul(bareFirst ^ word, FIRST_PRIME)
      bareSecond = Math.imul(bareSecond + word, SECOND_PRIME)
      bareCount++
    }
    if (bareCount === 0) return false
    const isRare = this.#table.isRare(first, second)
    return bareCount === words.count ? isRare : this.#table.isRare(bareFirst, bareSecond) && isRare
  }

  #isRarePicture(start: number, end: number): boolean {
    const { bytes } = this.shown
    let first = this.#urlWords.hostHash
    let second = 0
    for (let at = start; at < end; at++) {
      const byte = bytes[at] ?? 0
      first = Math.imul(first ^ byte, FIRST_PRIME)
      second = Math.imul(second + byte, SECOND_PRIME)
    }
    return this.#table.isRare(first, second)
  }
}
