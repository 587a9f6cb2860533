import type { TextWords } from './text-words.ts'

/** Maximum number of words that are kept of a URL. Longer URLs repeat themselves. */
export const MAX_URL_WORDS = 32
/** Size of the buffer for a URL, in bytes. No URL is longer. */
const MAX_BYTES = 16_384

/** The words of a page's URL, which don't count as content of the page. */
export class UrlWords {
  /** Hash of the host and port. */
  hostHash = 0
  readonly #words: TextWords
  readonly #bytes = Buffer.alloc(MAX_BYTES)
  readonly #known = new Int32Array(MAX_URL_WORDS)
  #count = 0
  /** One bit for each word, by its hash. It rules out most words of a text. */
  #mask = 0

  /** @param words reads the URL; the words that it read before are overwritten */
  constructor(words: TextWords) {
    this.#words = words
  }

  /** Reads a URL. */
  read(url: string): void {
    // Up to the path, a URL is ASCII.
    const hostStart = url.indexOf('//') + 2
    const pathStart = url.indexOf('/', hostStart)
    this.hostHash = 0
    for (let at = hostStart; at < pathStart; at++) {
      this.hostHash = (Math.imul(this.hostHash, 31) + url.charCodeAt(at)) | 0
    }
    const length = this.#bytes.write(decodedUrl(url))
    this.#words.read(this.#bytes, pathStart, length)
    this.#count = Math.min(this.#words.count, MAX_URL_WORDS)
    this.#mask = 0
    for (let i = 0; i < this.#count; i++) {
      const word = this.#words.hashes[i] ?? 0
      this.#known[i] = word
      this.#mask |= 1 << (word >>> 27)
    }
  }

  /** Returns whether a word of this hash is in the URL. */
  has(word: number): boolean {
    if ((this.#mask & (1 << (word >>> 27))) === 0) return false
    for (let i = 0; i < this.#count; i++) if (this.#known[i] === word) return true
    return false
  }
}

/** Decodes the percent-escapes of a URL if they are valid UTF-8. */
export function decodedUrl(url: string): string {
  if (!url.includes('%')) return url
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}
