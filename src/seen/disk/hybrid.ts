import { UrlHash } from '../../hashing/url-hash.ts'
import { BloomFilter } from '../bloom/bloom.ts'
import { LockingSeenSet } from '../locking-seen-set.ts'
import type { BeforeAdd, ForgettingSeenSet, SeenStats } from '../seen-set.ts'
import { type DiskMark, DiskUrlTable } from './disk-url-table.ts'
import type { HybridMemory } from './hybrid-allocation.ts'
import { PENDING_BYTES, PendingUrls } from './pending-urls.ts'
import { RecentUrls } from './recent-urls.ts'

/** Hash of the only lock, which protects pending URLs and writes to the disk. */
const WRITER = 0

/**
 * A Bloom filter in front of an exact set on disk. Most URLs are known, and most of these were
 * found recently by the same thread: each thread remembers its recent URLs. A URL that the filter
 * lacks is new, without a lookup on disk. Only a URL that the filter has is looked up there. So a
 * filter that is too small costs time, but never loses a URL.
 *
 * New URLs start as pending ones: they are kept in shared memory, and written to the disk some
 * thousands at a time. Each URL has one winner: a thread claims it under a lock, if it is neither
 * among the pending URLs nor on disk. The disk is searched again only if something was written since
 * the last lookup.
 */
export class HybridSeenSet extends LockingSeenSet implements ForgettingSeenSet {
  readonly #filter: BloomFilter
  readonly #pending: PendingUrls
  readonly #table: DiskUrlTable
  readonly #recent = new RecentUrls()
  readonly #hash: UrlHash
  #removals = 0

  constructor(memory: HybridMemory, owner: number) {
    super(memory, owner)
    this.#filter = new BloomFilter(memory)
    this.#pending = new PendingUrls(memory.pending)
    this.#table = new DiskUrlTable(memory.disk)
    this.#hash = new UrlHash(memory.key)
  }

  /** @throws CrawlerError('output') when the disk is full */
  addIfNew(urls: readonly string[], beforeAdd?: BeforeAdd): readonly boolean[] {
    this.#dropRemoved()
    const isNew = urls.map((url) => !this.#recent.has(url))
    if (!isNew.includes(true)) return isNew
    const { writes } = this.#table
    this.#retest(urls, isNew, (url) => !this.#isOnDisk(url))
    if (!isNew.includes(true)) return isNew
    for (const [place, isUnknown] of isNew.entries()) if (isUnknown) beforeAdd?.(place)
    this.locks.withLock(WRITER, () => this.#retest(urls, isNew, (url) => this.#claim(url, writes)))
    this.counter.publish()
    return isNew
  }

  has(urls: readonly string[]): readonly boolean[] {
    this.#dropRemoved()
    return urls.map((url) => {
      if (this.#recent.has(url) || this.#isOnDisk(url)) return true
      const { first, second } = this.#hash
      // It may be pending, or have come to the disk a moment ago.
      if (!this.#filter.has(first, second)) return false
      return this.locks.withLock(WRITER, () => this.#isPending() || this.#table.has(url))
    })
  }

  forget(urls: readonly string[]): readonly boolean[] {
    return this.locks.withLock(WRITER, () => {
      this.#flush()
      return this.#table.remove(urls)
    })
  }

  /** Moves all pending URLs to the disk and returns its mark. */
  mark(): DiskMark {
    return this.locks.withLock(WRITER, () => {
      this.#flush()
      return this.#table.mark()
    })
  }

  close(): void {
    this.#table.close()
  }

  stats(): SeenStats {
    return {
      added: this.counter.added,
      bytes: this.#filter.bytes + PENDING_BYTES + this.lockingBytes,
      diskBytes: this.#table.bytes,
      fill: this.#filter.fill,
      falsePositiveRate: 0,
      expectedLost: 0,
    }
  }

  /** Applies a test to the URLs that still count as new. */
  #retest(urls: readonly string[], isNew: boolean[], test: (url: string) => boolean): void {
    for (const [index, url] of urls.entries()) if (isNew[index]) isNew[index] = test(url)
  }

  /** Returns whether a URL is on disk. Leaves its hash and its packed form in `#hash`. */
  #isOnDisk(url: string): boolean {
    this.#hash.of(url)
    const { first, second } = this.#hash
    const isThere = this.#filter.has(first, second) && this.#table.has(url)
    if (isThere) this.#recent.add(url)
    return isThere
  }

  /** Returns whether the packed URL is pending; the caller holds the lock. */
  #isPending(): boolean {
    return this.#pending.has(this.#hash.packed, this.#hash.first)
  }

  /**
   * Claims a URL. The caller holds the lock.
   * @param writes number of writes to the disk at the caller's lookup
   */
  #claim(url: string, writes: number): boolean {
    this.#hash.of(url)
    const { first, second } = this.#hash
    this.#recent.add(url)
    if (this.#isPending()) return false
    const hasChanged = this.#table.writes !== writes && this.#filter.has(first, second)
    if (hasChanged && this.#table.has(url)) return false
    // The filter comes first: if the thread dies in between, a lookup on disk shows that the URL is
    // missing there.
    this.#filter.add(first, second)
    this.#addPending(url)
    this.counter.count()
    return true
  }

  #addPending(url: string): void {
    const { first } = this.#hash
    if (this.#pending.add(this.#hash.packed, first)) return
    this.#flush()
    if (!this.#pending.add(this.#hash.packed, first)) this.#table.insert([url])
  }

  /**
   * Writes all pending URLs to the disk. Clears them after the commit: URLs that a dying thread
   * leaves in both places are ignored later.
   */
  #flush(): void {
    const urls = this.#pending.all()
    if (urls.length === 0) return
    this.#table.insert(urls)
    this.#pending.clear()
  }

  #dropRemoved(): void {
    const { removals } = this.#table
    if (removals === this.#removals) return
    this.#removals = removals
    this.#recent.clear()
  }
}
