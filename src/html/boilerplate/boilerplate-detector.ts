import { DOUBLE_QUOTE, GREATER, QUESTION, SINGLE_QUOTE, SPACE } from '../../encoding/ascii.ts'
import type { TextSample, TextSamples } from '../reference-scanner/text-samples.ts'
import { readPieces } from './page-pieces.ts'
import { MAX_RARE, type TextCounts } from './text-count-table.ts'
import { TextWords } from './text-words.ts'
import { UrlWords } from './url-words.ts'

export const FIRST_PRIME = 0x01000193
export const SECOND_PRIME = 0x5bd1e995
/** One in this many pages is counted to its end. */
export const THOROUGH_EVERY = 32
/** The same for pages whose first rare text or media was shown before: they may belong to a trap. */
export const THOROUGH_EVERY_REPEAT = 8
/** Keeps whole media in other cells than samples of them, which would compete with them. */
export const MEDIA_SEED = 0x2545f491
const DATA_URL = Buffer.from('data:')
/** Is 1 for each byte that ends a URL. Reading a set for each byte of a tag would take longer. */
const ENDS_URL = new Uint8Array(256)
for (const byte of [DOUBLE_QUOTE, SINGLE_QUOTE, GREATER, SPACE]) ENDS_URL[byte] = 1

/**
 * Detects pages that show only texts and media that their host has shown often before.
 *
 * New content is a rare text or rare media. Texts are compared without numbers and without words of the page's own
 * URL. Pages that differ only in a date, a counter, an echo of their URL or their links have no new content. A single
 * rare text is enough, even if the rest of the page is the same on all pages of the host.
 */
export class BoilerplateDetector {
  readonly #counts: TextCounts
  readonly #words: TextWords
  readonly #urlWords: UrlWords
  #pages = 0
  #repeats = 0
  /** True if the current page has a rare text or rare media. */
  #hasRare = false

  constructor(counts: TextCounts) {
    this.#counts = counts
    this.#words = new TextWords(counts.key)
    this.#urlWords = new UrlWords(this.#words)
  }

  /**
   * Returns whether the page has new content, and counts its content. Call it once per page. Usually, counting stops at
   * the first rare text: most pages begin with a new title. Some pages are counted to their end, so that texts that all
   * pages share soon count as frequent. These are chosen more often if their first rare text was shown before.
   */
  hasNewContent(url: string, samples: TextSamples): boolean {
    const { page } = samples
    const { bytes } = page
    this.#urlWords.read(url)
    this.#hasRare = false
    for (let index = 0; index < samples.count; index++) {
      if (!this.#goesOnAfter(this.#timesShown(bytes, samples.at(index)))) return true
    }
    if (!this.#hasRare) {
      readPieces(page, {
        text: (start, end) => this.#goesOnAfter(this.#timesTextShown(bytes, start, end)),
        media: (start, end) => this.#goesOnAfter(this.#timesMediaShown(bytes, start, end)),
      })
    }
    return this.#hasRare
  }

  /**
   * Notes a text or media of the page. Returns whether to count the rest of the page as well.
   * @param times number of times that it was shown before
   */
  #goesOnAfter(times: number): boolean {
    if (times > MAX_RARE) return true
    const goesOn = this.#hasRare || this.#countPage(times)
    this.#hasRare = true
    return goesOn
  }

  /**
   * Counts a page. Returns whether it is one of those whose texts are all counted.
   * @param times number of times that the first rare text or media of the page was shown before
   */
  #countPage(times: number): boolean {
    const isNext = this.#pages++ % THOROUGH_EVERY === 0
    const isNextRepeat = times > 0 && this.#repeats++ % THOROUGH_EVERY_REPEAT === 0
    return isNext || isNextRepeat
  }

  /** Counts a text or media. Returns how often that was shown before. */
  #timesShown(bytes: Uint8Array, { start, end, isMedia }: TextSample): number {
    return isMedia
      ? this.#timesMediaSampleShown(bytes, start, end)
      : this.#timesTextShown(bytes, start, end)
  }

  /**
   * Counts a text as it is and, if it contains words of the URL, also without them: a word of the text may be in the
   * URL by chance. Returns the higher count. A text of only numbers and words of the URL counts as shown on all pages.
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
    const times = this.#counts.count(first, second)
    if (bareCount === words.count) return times
    return Math.max(times, this.#counts.count(bareFirst, bareSecond))
  }

  #timesMediaSampleShown(bytes: Uint8Array, start: number, end: number): number {
    let first = this.#urlWords.hostHash
    let second = 0
    for (let at = start; at < end; at++) {
      const byte = bytes[at] ?? 0
      first = Math.imul(first ^ byte, FIRST_PRIME)
      second = Math.imul(second + byte, SECOND_PRIME)
    }
    return this.#counts.count(first, second)
  }

  /** Counts a tag, or the URL in a style, without the queries of its URLs, which may be random. */
  #timesMediaShown(bytes: Uint8Array, start: number, end: number): number {
    let first = this.#urlWords.hostHash ^ MEDIA_SEED
    let second = 0
    let isLeftOut = false
    for (let at = start; at < end; at++) {
      const byte = bytes[at] ?? 0
      if (ENDS_URL[byte] === 1) isLeftOut = false
      else if (byte === QUESTION || startsDataUrl(bytes, at)) isLeftOut = true
      if (isLeftOut) continue
      first = Math.imul(first ^ byte, FIRST_PRIME)
      second = Math.imul(second + byte, SECOND_PRIME)
    }
    return this.#counts.count(first, second)
  }
}

/** Returns whether `data:` is at an index of a page. */
function startsDataUrl(bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < DATA_URL.length; i++) if (bytes[at + i] !== DATA_URL[i]) return false
  return true
}
