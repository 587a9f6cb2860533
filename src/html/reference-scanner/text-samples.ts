import { isSpace, LESS, SLASH } from '../../encoding/ascii.ts'

/** Bytes of text from which it may say something: shorter ones are labels, for the most part. */
export const MIN_TEXT = 16
/** Bytes looked at of each text, and of each tag of a picture. */
export const MAX_LENGTH = 64
/** Texts and pictures kept per page. */
export const MAX_KEPT = 32
const LETTER_A = 0x61

/** A stretch of the page that shows something. */
export interface TextSample {
  readonly start: number
  readonly end: number
  /** The tag of a picture, and no text. */
  readonly isMedia: boolean
}

/** Texts and pictures of a page, sampled by either scanner. Valid until the next page is scanned. */
export interface SampledPage {
  readonly bytes: Uint8Array
  readonly count: number
  at(index: number): TextSample
}

/**
 * Samples what a page shows, as the scanner passes over it: texts other than the labels of links, and
 * tags that show something. Where there is more than is kept, it is every second one, every fourth
 * and so on, the first included. To be used again for page after page.
 */
export class TextSamples implements SampledPage {
  bytes: Uint8Array = new Uint8Array()
  count = 0
  readonly #starts = new Int32Array(MAX_KEPT)
  readonly #ends = new Int32Array(MAX_KEPT)
  readonly #isMedia = new Uint8Array(MAX_KEPT)
  #stride = 1
  #passed = 0

  begin(bytes: Uint8Array): void {
    this.bytes = bytes
    this.count = 0
    this.#stride = 1
    this.#passed = 0
  }

  /** The text between two tags, of `MIN_TEXT` at least; `end` is the index of the `<`. */
  text(start: number, end: number): void {
    if (this.#isBlank((start + end) >> 1) || this.#isLabel(end)) return
    this.#keep(start, end, 0)
  }

  /** The title, however short. */
  title(start: number, end: number): void {
    this.#keep(start, end, 0)
  }

  /** A tag that shows something, from the end of its name: whatever attribute it is that says what. */
  media(start: number, end: number): void {
    this.#keep(start, end, 1)
  }

  at(index: number): TextSample {
    const start = this.#starts[index] ?? 0
    const end = this.#ends[index] ?? 0
    return { start, end, isMedia: this.#isMedia[index] === 1 }
  }

  /** White space in the middle is indentation, unless it stands between two words. */
  #isBlank(middle: number): boolean {
    return isSpace(this.bytes[middle] ?? 0) && isSpace(this.bytes[middle + 1] ?? 0)
  }

  #isLabel(end: number): boolean {
    const { bytes } = this
    return bytes[end] === LESS && bytes[end + 1] === SLASH && isNamedA(bytes, end + 2)
  }

  #keep(start: number, end: number, isMedia: number): void {
    if ((this.#passed++ & (this.#stride - 1)) !== 0) return
    if (this.count === MAX_KEPT) this.#thin()
    this.#starts[this.count] = start
    this.#ends[this.count] = Math.min(end, start + MAX_LENGTH)
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
  return ((bytes[at] ?? 0) | 0x20) === LETTER_A && (after === 0x3e || isSpace(after))
}
