import { GREATER, isSpace, LESS, SLASH } from '../../encoding/ascii.ts'
import type { PageBytes } from './page-bytes.ts'

/** Minimum length of a text that is sampled, in bytes. Most shorter texts are labels. */
export const MIN_TEXT = 16
/** Maximum number of bytes that are kept of each text, and of each tag of media. */
export const MAX_SAMPLE_BYTES = 64
/** Maximum number of texts and tags of media that are kept of a page. */
export const MAX_SAMPLES = 32
const LETTER_A = 0x61

/** A range of the page that is a text or a tag of media. */
export interface TextSample {
  readonly start: number
  readonly end: number
  /** True for the tag of media, false for a text. */
  readonly isMedia: boolean
}

/**
 * Samples the content of a page while the scanner reads it: texts other than the labels of links, and tags of images
 * and other media. If there are too many, only every second one is kept, then every fourth and so on, always including
 * the first. One object is reused for all pages.
 */
export class TextSamples {
  page: PageBytes = { bytes: new Uint8Array(), text: '' }
  count = 0
  readonly #starts = new Int32Array(MAX_SAMPLES)
  readonly #ends = new Int32Array(MAX_SAMPLES)
  readonly #isMedia = new Uint8Array(MAX_SAMPLES)
  #stride = 1
  #passed = 0

  begin(page: PageBytes): void {
    this.page = page
    this.count = 0
    this.#stride = 1
    this.#passed = 0
  }

  /** Adds the text between two tags, which has at least `MIN_TEXT` bytes. @param end index of the `<` */
  text(start: number, end: number): void {
    if (this.#isBlank((start + end) >> 1) || this.#isLabel(end)) return
    this.#keep(start, end, 0)
  }

  /** Adds the title, even if it is short. */
  title(start: number, end: number): void {
    this.#keep(start, end, 0)
  }

  /** Adds a tag of media from the end of its name, with all its attributes: any of them may contain the URL. */
  media(start: number, end: number): void {
    this.#keep(start, end, 1)
  }

  at(index: number): TextSample {
    const start = this.#starts[index] ?? 0
    const end = this.#ends[index] ?? 0
    return { start, end, isMedia: this.#isMedia[index] === 1 }
  }

  /** Returns whether a text is probably indentation: there are two white space characters in its middle. */
  #isBlank(middle: number): boolean {
    const { bytes } = this.page
    return isSpace(bytes[middle] ?? 0) && isSpace(bytes[middle + 1] ?? 0)
  }

  #isLabel(end: number): boolean {
    const { bytes } = this.page
    return bytes[end] === LESS && bytes[end + 1] === SLASH && isNamedA(bytes, end + 2)
  }

  #keep(start: number, end: number, isMedia: number): void {
    if ((this.#passed++ & (this.#stride - 1)) !== 0) return
    if (this.count === MAX_SAMPLES) this.#thin()
    this.#starts[this.count] = start
    this.#ends[this.count] = Math.min(end, start + MAX_SAMPLE_BYTES)
    this.#isMedia[this.count++] = isMedia
  }

  #thin(): void {
    for (let i = 0; 2 * i < this.count; i++) {
      this.#starts[i] = this.#starts[2 * i] ?? 0
      this.#ends[i] = this.#ends[2 * i] ?? 0
      this.#isMedia[i] = this.#isMedia[2 * i] ?? 0
    }
    this.count /= 2
    this.#stride *= 2
  }
}

function isNamedA(bytes: Uint8Array, at: number): boolean {
  const after = bytes[at + 1] ?? 0
  return ((bytes[at] ?? 0) | 0x20) === LETTER_A && (after === GREATER || isSpace(after))
}
