import { wordsFor } from '../hashing/url-bytes.ts'
import { SAME_DEPTH_HOP_KINDS, type SameDepthHop } from '../records/crawl-url.ts'
import { SKIP_REASONS, type SkipReason } from '../records/skip.ts'

/** The kind of a claim: the hop that leads to the URL, or the reason for which it is not fetched, or `merged`. */
export type ClaimKind = 'link' | SameDepthHop | SkipReason | 'merged'

/** A URL that a worker added to a shared set for a page. */
export interface Claim {
  /** Id of the page in the frontier. */
  readonly page: number
  readonly kind: ClaimKind
  /** The URL; with `merged`, the rules that changed it and the URL before the change. */
  readonly text: string
  /** True if the URL is one link deeper than the page. */
  readonly isDeeper: boolean
}

/** Entries that were handed over to the main thread, and their pages. */
export interface OlderClaims {
  readonly pages: readonly number[]
  readonly entries: Int32Array
}

const KINDS: readonly ClaimKind[] = [
  ...(['link', 'merged'] as const),
  ...SAME_DEPTH_HOP_KINDS,
  ...SKIP_REASONS,
]
const CODES = new Map(KINDS.map((kind, code) => [kind, code]))

const BYTES = 2 ** 16
/** Index of the word that stores how many words are used. */
const USED = 0
const FIRST = 1
/** Offsets in an entry, in words: the length of its text in bytes, its kind, two words for its page, and its text. */
const ENTRY = { bytes: 0, kind: 1, page: 2, text: 4 } as const
/** Flag of `isDeeper`, added to the code of the kind. */
const DEEPER = 2 ** 8
const MAX_BYTES_PER_UNIT = 3

/**
 * Logs the URLs that a worker is about to add to shared sets, in shared memory that outlives the worker. When a worker
 * dies, the main thread finds here the URLs that the worker added and did not report. The sets can't provide them: they
 * don't store who added a URL, and a Bloom filter can't remove one.
 *
 * An entry is valid once `used` covers it, and until its page is reported. When no entry is valid, the log is emptied.
 * When the memory is full, all entries are handed over to the main thread.
 */
export class ClaimLog {
  readonly #words: Int32Array
  readonly #bytes: Buffer
  readonly #handOver: (older: OlderClaims) => void
  /** Pages with claims that are not reported yet. */
  readonly #pages = new Set<number>()
  #used: number = FIRST

  constructor(memory: SharedArrayBuffer, handOver: (older: OlderClaims) => void) {
    this.#words = new Int32Array(memory)
    this.#bytes = Buffer.from(memory)
    this.#handOver = handOver
  }

  static allocate(): SharedArrayBuffer {
    const memory = new SharedArrayBuffer(BYTES)
    new Int32Array(memory)[USED] = FIRST
    return memory
  }

  /** Logs a claim. Must be called before the URL is added to a shared set. */
  add(page: number, kind: ClaimKind, text: string, isDeeper = false): void {
    const most = ENTRY.text + wordsFor(text.length * MAX_BYTES_PER_UNIT)
    if (this.#used + most > this.#words.length) this.handOver()
    const at = this.#used
    const words = this.#words
    const length = this.#bytes.write(text, (at + ENTRY.text) * 4)
    words[at + ENTRY.bytes] = length
    words[at + ENTRY.kind] = (CODES.get(kind) ?? 0) + (isDeeper ? DEEPER : 0)
    words[at + ENTRY.page] = page
    words[at + ENTRY.page + 1] = page / 2 ** 32
    this.#pages.add(page)
    this.#setUsed(at + ENTRY.text + wordsFor(length))
  }

  /** Must be called when a page was reported with all of its claims. */
  reported(page: number): void {
    if (this.#pages.delete(page) && this.#pages.size === 0) this.#setUsed(FIRST)
  }

  /** Hands all entries over, then empties the log. If the worker dies in between, they are found twice, never lost. */
  handOver(): void {
    const entries = new Int32Array(this.#words.subarray(FIRST, this.#used))
    this.#handOver({ pages: [...this.#pages], entries })
    this.#setUsed(FIRST)
  }

  #setUsed(used: number): void {
    this.#used = used
    Atomics.store(this.#words, USED, used)
  }
}

/** Returns the claims in the log of a worker that died. */
export function claimsIn(memory: SharedArrayBuffer): Claim[] {
  const words = new Int32Array(memory)
  return readClaims(words.subarray(FIRST, Atomics.load(words, USED)))
}

/** Reads entries up to the first invalid one: hooks that ran in the worker may have overwritten the memory. */
export function readClaims(entries: Int32Array): Claim[] {
  const bytes = Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength)
  const claims: Claim[] = []
  for (let at = 0; at < entries.length; ) {
    const [length = 0, code = 0, low = 0, high = 0] = entries.subarray(at, at + ENTRY.text)
    const start = (at + ENTRY.text) * 4
    if (length < 0 || start + length > bytes.length) break
    const kind = KINDS[code % DEEPER] ?? 'link'
    const text = bytes.toString('utf8', start, start + length)
    claims.push({ page: high * 2 ** 32 + (low >>> 0), kind, text, isDeeper: code >= DEEPER })
    at += ENTRY.text + wordsFor(length)
  }
  return claims
}

export function isSkip(kind: ClaimKind): kind is SkipReason {
  return SKIP_REASONS.some((reason) => reason === kind)
}
