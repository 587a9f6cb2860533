import { CrawlerError } from '../../errors.ts'
import { growTo, reserveShared } from '../growable-shared-buffer.ts'

export const MAX_ARENA_BYTES = 4 * 2 ** 30
const MIN_GROWTH = 2 ** 20
/** Words at the start of the arena. Offset 0 is never an entry, so it can mean "none". */
const SLOT = { used: 0, first: 16 } as const

export function allocateUrlArena(): SharedArrayBuffer {
  const buffer = reserveShared(MIN_GROWTH, MAX_ARENA_BYTES)
  new Int32Array(buffer)[SLOT.used] = SLOT.first
  return buffer
}

/** Shared memory that only grows: any thread allocates at its end, and nothing is freed. */
export class UrlArena {
  readonly #buffer: SharedArrayBuffer
  /** A view of fixed length, renewed after growth: faster to read than one that tracks it. */
  words: Int32Array<SharedArrayBuffer>

  constructor(buffer: SharedArrayBuffer) {
    this.#buffer = buffer
    this.words = wordsOf(buffer)
  }

  /** Bytes in use. Beyond them, only addresses are reserved. */
  get bytes(): number {
    return Atomics.load(this.words, SLOT.used) * 4
  }

  /** Share of the maximum size in use, 0 to 1. */
  get fill(): number {
    return (Atomics.load(this.words, SLOT.used) * 4) / MAX_ARENA_BYTES
  }

  /** Makes the words before `end`, allocated by any thread, readable through `words`. */
  ensureReadable(end: number): void {
    if (end > this.words.length) this.#renew()
  }

  /**
   * Allocates `count` words for the caller and returns their offset.
   * @throws CrawlerError('usage') when the arena is full
   */
  allocate(count: number): number {
    for (;;) {
      const start = Atomics.load(this.words, SLOT.used)
      const end = start + count
      if (end * 4 > MAX_ARENA_BYTES) throw full()
      if (Atomics.compareExchange(this.words, SLOT.used, start, end) === start) {
        if (end > this.words.length) this.#growTo(end * 4)
        return start
      }
    }
  }

  #growTo(bytes: number): void {
    const wanted = Math.min(MAX_ARENA_BYTES, bytes + Math.max(MIN_GROWTH, Math.floor(bytes / 8)))
    if (!growTo(this.#buffer, wanted) && !growTo(this.#buffer, bytes)) throw full()
    this.#renew()
  }

  #renew(): void {
    this.words = wordsOf(this.#buffer)
  }
}

function wordsOf(buffer: SharedArrayBuffer): Int32Array<SharedArrayBuffer> {
  return new Int32Array(buffer, 0, Math.floor(buffer.byteLength / Int32Array.BYTES_PER_ELEMENT))
}

function full(): CrawlerError {
  const message =
    'The exact seen set is full (4 GiB of URLs, or no memory left): use --seen bloom-growing.'
  return new CrawlerError('usage', message)
}
