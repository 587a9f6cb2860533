import type { SampledPage, TextSample } from '../../html/reference-scanner/text-samples.ts'
import { MAX_RARE, TextCountTable } from './text-count-table.ts'
import { TextWords } from './text-words.ts'
import { UrlWords } from './url-words.ts'

const FIRST_PRIME = 0x01000193
const SECOND_PRIME = 0x5bd1e995
/** Of all pages, one in so many is counted to its end. */
const THOROUGH_EVERY = 32
/** The same of pages whose first rare thing was shown before: they may belong to a trap. */
const THOROUGH_EVERY_REPEAT = 8

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
  #repeats = 0

  constructor(memory: SharedArrayBuffer) {
    this.#table = new TextCountTable(memory)
    this.#words = new TextWords(this.#table.key)
    this.#urlWords = new UrlWords(this.#words)
  }

  /**
   * Returns whether the page has new content, and counts its content: to be called once per page. Most pages begin with
   * a title that no page had before, and that decides. Some are counted to their end, so that what pages have in common
   * is soon known: above all those that repeat what is still rare.
   */
  hasNewContent(url: string, page: SampledPage): boolean {
    this.#urlWords.take(url)
    let hasNewContent = false
    for (let index = 0; index < page.count; index++) {
      const times = this.#timesShown(page.bytes, page.at(index))
      if (times > MAX_RARE) continue
      if (!hasNewContent && !this.#isCountedToItsEnd(times)) return true
      hasNewContent = true
    }
    return hasNewContent
  }

  /** @param times how often the first rare thing of the page was shown before */
  #isCountedToItsEnd(times: number): boolean {
    const isNext = this.#pages++ % THOROUGH_EVERY === 0
    const isNextRepeat = times > 0 && this.#repeats++ % THOROUGH_EVERY_REPEAT === 0
    return isNext || isNextRepeat
  }

  /** Returns how often something was shown before, and counts it. */
  #timesShown(bytes: Uint8Array, { start, end, isMedia }: TextSample): number {
    return isMedia
      ? this.#timesPictureShown(bytes, start, end)
      : this.#timesTextShown(bytes, start, end)
  }

  /**
   * Counts a text as it is and without words of the URL: a word of the text may be in the URL by chance. The one that
   * was shown more often counts; a text of nothing but numbers and such words is on all pages.
   */
  #timesTextShown(bytes: Uint8Array, start: number, end: number): number {
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
    if (bareCount === 0) return Number.POSITIVE_INFINITY
    const times = this.#table.count(first, second)
    if (bareCount === words.count) return times
    return Math.max(times, this.#table.count(bareFirst, bareSecond))
  }

  #timesPictureShown(bytes: Uint8Array, start: number, end: number): number {
    let first = this.#urlWords.hostHash
    let second = 0
    for (let at = start; at < end; at++) {
      const byte = bytes[at] ?? 0
      first = Math.imul(first ^ byte, FIRST_PRIME)
      second = Math.imul(second + byte, SECOND_PRIME)
    }
    return this.#table.count(first, second)
  }
}
