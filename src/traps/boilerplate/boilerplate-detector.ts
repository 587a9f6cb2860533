import type { SampledPage, TextSample } from '../../html/reference-scanner/text-samples.ts'
import { TextCountTable } from './text-count-table.ts'
import { TextWords } from './text-words.ts'
import { UrlWords } from './url-words.ts'

const FIRST_PRIME = 0x01000193
const SECOND_PRIME = 0x5bd1e995
const THOROUGH_EVERY = 8

/**
 * Detects pages that show only what their host has shown often before.
 *
 * New content is a text, without numbers and words of the page's own URL, or a picture. Pages that differ only in
 * a date, a counter, an echo of their URL or their links have none. A single text of its own is enough, however
 * much a page shares with all others of its host.
 */
export class BoilerplateDetector {
  readonly #table: TextCountTable
  readonly #words: TextWords
  readonly #urlWords: UrlWords
  #pages = 0

  constructor(memory: SharedArrayBuffer) {
    this.#table = new TextCountTable(memory)
    this.#words = new TextWords(this.#table.key)
    this.#urlWords = new UrlWords(this.#words)
  }

  /**
   * Returns whether the page has new content, and counts its content: to be called once per page. Most pages show
   * something rare at once, and that decides. Every eighth page is counted to its end, so that common content is
   * soon known.
   */
  hasNewContent(url: string, page: SampledPage): boolean {
    this.#urlWords.take(url)
    const isThorough = this.#pages++ % THOROUGH_EVERY === 0
    let hasNewContent = false
    for (let index = 0; index < page.count; index++) {
      if (!this.#isRare(page.bytes, page.at(index))) continue
      hasNewContent = true
      if (!isThorough) break
    }
    return hasNewContent
  }

  #isRare(bytes: Uint8Array, { start, end, isMedia }: TextSample): boolean {
    return isMedia ? this.#isRarePicture(bytes, start, end) : this.#isRareText(bytes, start, end)
  }

  /** Counts a text as it is and without words of the URL: a word of the text may be in the URL by chance. */
  #isRareText(bytes: Uint8Array, start: number, end: number): boolean {
    const words = this.#words
    words.read(bytes, start, end)
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

  #isRarePicture(bytes: Uint8Array, start: number, end: number): boolean {
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
