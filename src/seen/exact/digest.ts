import { formatCount } from '../../english-text.ts'
import { CrawlerError } from '../../errors.ts'
import type { HashKey } from '../../hashing/half-siphash.ts'
import { allocateLocking, type LockingMemory, LockingSeenSet } from '../locking-seen-set.ts'
import type {
  BeforeAdd,
  DigestName,
  SeenOptions,
  SeenPlan,
  SeenSet,
  SeenStats,
} from '../seen-set.ts'
import { STRIPE_LOCK_BYTES } from '../stripe-locks.ts'
import { DIGEST_WORDS, type UrlDigester, urlDigester } from '../url-digest.ts'
import {
  allocateDigestTable,
  type DigestLayout,
  DigestTable,
  digestTableSize,
} from './digest-table.ts'

/**
 * Minimum capacity of the first level: it costs little, and saves levels when the estimate is far
 * too low.
 */
const MIN_CAPACITY = 10_000

/** The locks are for callers of `addIfNew` that pass `beforeAdd`. The table itself needs none. */
export interface DigestMemory extends LockingMemory {
  readonly name: 'digest'
  readonly digest: DigestName
  readonly layout: DigestLayout
  readonly table: SharedArrayBuffer
}

function digestLayout({ digest = 'halfsiphash', expectedUrls }: SeenOptions): DigestLayout {
  const firstCapacity = Math.max(MIN_CAPACITY, expectedUrls)
  return { width: DIGEST_WORDS[digest], firstCapacity, growth: 2 }
}

export function allocateDigest(options: SeenOptions, key: HashKey): DigestMemory {
  const { digest = 'halfsiphash' } = options
  const layout = digestLayout(options)
  const table = allocateDigestTable(layout)
  return { name: 'digest', digest, layout, table, ...allocateLocking(key) }
}

export function planDigest(options: SeenOptions, urls: number): SeenPlan {
  const layout = digestLayout(options)
  const { bytes: tableBytes, fits } = digestTableSize(layout, urls)
  const bytes = tableBytes + STRIPE_LOCK_BYTES
  const expectedLost = urls ** 2 / 2 / 2 ** (layout.width * 32)
  const refusal = `A table of digests can't grow to ${formatCount(urls)} digests.`
  return { bytes, expectedLost, ...(!fits && { refusal }) }
}

/** Digests of URLs: wrong only when two URLs have the same one. */
export class DigestSeenSet extends LockingSeenSet implements SeenSet {
  readonly #table: DigestTable
  readonly #fingerprint: UrlDigester

  constructor(memory: DigestMemory, owner: number) {
    const { key, digest, layout, table } = memory
    super(memory, owner, (added) => added / 2 ** (layout.width * 32))
    this.#table = new DigestTable(table, layout)
    this.#fingerprint = urlDigester(digest, key)
  }

  /** @throws CrawlerError('usage') when there is no memory for more */
  addIfNew(urls: readonly string[], beforeAdd?: BeforeAdd): readonly boolean[] {
    const fresh = urls.map((url, place) => this.#claim(url, place, beforeAdd))
    this.counter.publish()
    return fresh
  }

  has(urls: readonly string[]): readonly boolean[] {
    return urls.map((url) => this.#table.has(this.#fingerprint(url)))
  }

  stats(): SeenStats {
    return {
      added: this.counter.added,
      bytes: this.#table.bytes + this.lockingBytes,
      fill: this.#table.fill,
      falsePositiveRate: this.counter.rate,
      expectedLost: this.counter.expectedLost,
    }
  }

  #claim(url: string, place: number, beforeAdd: BeforeAdd | undefined): boolean {
    const digest = this.#fingerprint(url)
    // Most URLs are known, and most of those are in the newest levels, where `has` begins.
    if (this.#table.has(digest)) return false
    const isNew =
      beforeAdd === undefined
        ? this.#table.claim(digest)
        : this.locks.withLock(digest[0] ?? 0, () =>
            this.#claimLocked(digest, () => beforeAdd(place)),
          )
    if (!isNew) return false
    if (this.#table.isFull) throw full()
    this.counter.count()
    return true
  }

  /**
   * Claims a digest under its lock. Another thread may have added it meanwhile. A slot that a dead
   * thread left half written is completed.
   */
  #claimLocked(digest: Int32Array, beforeAdd: () => void): boolean {
    if (this.#table.has(digest)) return false
    beforeAdd()
    return this.#table.claim(digest)
  }
}

function full(): CrawlerError {
  const message = 'There is no memory left for the digest seen set: use --seen bloom-growing.'
  return new CrawlerError('usage', message)
}
