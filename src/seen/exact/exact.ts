import { formatCount } from '../../english-text.ts'
import type { HashKey } from '../../hashing/half-siphash.ts'
import { wordsFor } from '../../hashing/url-bytes.ts'
import { UrlHash } from '../../hashing/url-hash.ts'
import { mapToRange } from '../double-hashing.ts'
import { allocateLocking, type LockingMemory, LockingSeenSet } from '../locking-seen-set.ts'
import type { BeforeAdd, ForgettingSeenSet, SeenOptions, SeenPlan, SeenStats } from '../seen-set.ts'
import { STRIPE_LOCK_BYTES } from '../stripe-locks.ts'
import { allocateUrlArena, MAX_ARENA_BYTES, UrlArena } from './url-arena.ts'

const MIN_BUCKETS = 1024
const AVERAGE_URL_BYTES = 100
/** Words of an entry: the next entry's offset, half of the hash, the length, then the bytes. */
const ENTRY = { next: 0, hash: 1, byteLength: 2, bytes: 3 } as const
const NONE = 0

export interface ExactMemory extends LockingMemory {
  readonly name: 'exact'
  /**
   * Offset of the first entry per bucket. It comes before the arena, because a snapshot writes the
   * buffers in order.
   */
  readonly heads: SharedArrayBuffer
  readonly arena: SharedArrayBuffer
}

/** Returns the cost for URLs of average length. */
export function planExact(_: SeenOptions, urls: number): SeenPlan {
  const bytesPerUrl = (ENTRY.bytes + wordsFor(AVERAGE_URL_BYTES)) * Int32Array.BYTES_PER_ELEMENT
  const most = Math.floor(MAX_ARENA_BYTES / bytesPerUrl)
  const refusal =
    `The exact seen set holds 4 GiB: at most ${formatCount(most)} URLs of ` +
    `${AVERAGE_URL_BYTES} bytes. Use --seen digest or bloom-growing for more.`
  return {
    bytes: STRIPE_LOCK_BYTES + urls * (Int32Array.BYTES_PER_ELEMENT + bytesPerUrl),
    expectedLost: 0,
    ...(urls > most && { refusal }),
  }
}

export function allocateExact(options: SeenOptions, key: HashKey): ExactMemory {
  // One bucket per expected URL.
  const buckets = Math.max(MIN_BUCKETS, Math.ceil(options.expectedUrls))
  return {
    name: 'exact',
    heads: new SharedArrayBuffer(buckets * Int32Array.BYTES_PER_ELEMENT),
    arena: allocateUrlArena(),
    ...allocateLocking(key),
  }
}

/** Whole URLs in a chained hash table: never wrong, but memory grows with the crawl. */
export class ExactSeenSet extends LockingSeenSet implements ForgettingSeenSet {
  readonly #heads: Int32Array
  readonly #arena: UrlArena
  readonly #hash: UrlHash

  constructor(memory: ExactMemory, owner: number) {
    super(memory, owner)
    this.#heads = new Int32Array(memory.heads)
    this.#arena = new UrlArena(memory.arena)
    this.#hash = new UrlHash(memory.key)
  }

  /** @throws CrawlerError('usage') when 4 GiB of URLs are stored */
  addIfNew(urls: readonly string[], beforeAdd?: BeforeAdd): readonly boolean[] {
    try {
      return urls.map((url, place) => this.#claim(url, place, beforeAdd))
    } finally {
      this.counter.publish()
    }
  }

  has(urls: readonly string[]): readonly boolean[] {
    return urls.map((url) => this.#hasPackedUrl(this.#bucketOf(url)))
  }

  /** Removes URLs; their memory is not reused. */
  forget(urls: readonly string[]): readonly boolean[] {
    return urls.map((url) => this.#unlink(this.#bucketOf(url)))
  }

  stats(): SeenStats {
    return {
      added: this.counter.added,
      bytes: this.#heads.byteLength + this.#arena.bytes + this.lockingBytes,
      fill: this.#arena.fill,
      falsePositiveRate: 0,
      expectedLost: 0,
    }
  }

  #claim(url: string, place: number, beforeAdd: BeforeAdd | undefined): boolean {
    const bucket = this.#bucketOf(url)
    if (this.#hasPackedUrl(bucket)) return false
    const isNew = this.locks.withLock(bucket, () => {
      if (this.#hasPackedUrl(bucket)) return false
      beforeAdd?.(place)
      this.#insert(bucket)
      return true
    })
    if (isNew) this.counter.count()
    return isNew
  }

  /** Returns the bucket of a URL. Leaves its hash and its packed form in `#hash`. */
  #bucketOf(url: string): number {
    this.#hash.of(url)
    return mapToRange(this.#hash.first, this.#heads.length)
  }

  /**
   * Returns whether `bucket` has the packed URL. Needs no lock: an entry is complete before its
   * bucket leads to it, and changes later only to skip a forgotten next entry. The atomic load
   * pairs with the store that published the entry.
   */
  #hasPackedUrl(bucket: number): boolean {
    const arena = this.#arena
    let offset = Atomics.load(this.#heads, bucket)
    while (offset !== NONE) {
      if (this.#isPackedUrl(offset)) return true
      offset = arena.words[offset + ENTRY.next] ?? NONE
    }
    return false
  }

  #unlink(bucket: number): boolean {
    return this.locks.withLock(bucket, () => {
      const arena = this.#arena
      let before = NONE
      let offset = Atomics.load(this.#heads, bucket)
      while (offset !== NONE && !this.#isPackedUrl(offset)) {
        before = offset
        offset = arena.words[offset + ENTRY.next] ?? NONE
      }
      if (offset === NONE) return false
      const next = arena.words[offset + ENTRY.next] ?? NONE
      if (before === NONE) Atomics.store(this.#heads, bucket, next)
      else arena.words[before + ENTRY.next] = next
      return true
    })
  }

  #isPackedUrl(offset: number): boolean {
    const { words: url, byteLength } = this.#hash.packed
    const arena = this.#arena
    arena.ensureReadable(offset + ENTRY.bytes)
    if (arena.words[offset + ENTRY.hash] !== this.#hash.second) return false
    if (arena.words[offset + ENTRY.byteLength] !== byteLength) return false
    const start = offset + ENTRY.bytes
    const count = wordsFor(byteLength)
    arena.ensureReadable(start + count)
    const held = arena.words
    for (let index = 0; index < count; index++) {
      if (held[start + index] !== url[index]) return false
    }
    return true
  }

  #insert(bucket: number): void {
    const { words: url, byteLength } = this.#hash.packed
    const count = wordsFor(byteLength)
    const offset = this.#arena.allocate(ENTRY.bytes + count)
    const held = this.#arena.words
    held[offset + ENTRY.next] = Atomics.load(this.#heads, bucket)
    held[offset + ENTRY.hash] = this.#hash.second
    held[offset + ENTRY.byteLength] = byteLength
    for (let index = 0; index < count; index++) {
      held[offset + ENTRY.bytes + index] = url[index] ?? 0
    }
    Atomics.store(this.#heads, bucket, offset)
  }
}
