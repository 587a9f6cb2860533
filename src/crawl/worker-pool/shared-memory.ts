import { Counters } from '../../messages/counters.ts'
import { BodySlots, MAX_SITEMAP_BYTES } from '../../runtime/body-slots.ts'
import { allocateSeenSet, discardSeenSet, isOnDisk, openSeenSet } from '../../seen/registry.ts'
import type { DigestName, HashKey, SeenName, SeenStats } from '../../seen/seen-set.ts'
import { loadSnapshot, writeSnapshot } from '../../seen/snapshot.ts'
import { TextCountTable } from '../../traps/boilerplate/text-count-table.ts'

interface Sizes {
  readonly workers: number
  readonly seen: SeenName
  readonly expectedUrls: number
  readonly falsePositiveRate: number
  readonly digest: DigestName
  /** Milliseconds. */
  readonly forgetAfter: number
  readonly traps: boolean
  readonly deterministic: boolean
  readonly maxBody: number
  readonly sitemaps: boolean
}

/** Beside a set that loses nothing there is no filter either; this one grows. */
const SMALL_DIGEST = { name: 'digest', digest: 'halfsiphash', expectedUrls: 10_000 } as const

/** What all threads of a crawl share: the seen set, the counters, and room for large bodies. */
export class SharedMemory {
  readonly counters: Counters
  readonly #seenMemory
  readonly #pathMemory
  readonly #accountMemory
  readonly #shownTexts
  readonly #seen
  readonly #paths
  readonly #accounts
  readonly #bodySlots: readonly BodySlots[]

  /**
   * @param key secret of the seen set's hash
   * @param directory where a seen set on disk is kept; in temporary files when undefined
   * @throws CrawlerError('usage') when the seen set can't be that large
   */
  constructor(sizes: Sizes, key: HashKey, directory?: string) {
    const { workers, seen: name, expectedUrls, falsePositiveRate } = sizes
    const { digest, forgetAfter, traps, deterministic } = sizes
    const options = { name, expectedUrls, falsePositiveRate, digest, forgetAfter, key }
    this.counters = Counters.allocate(workers)
    this.#seenMemory = allocateSeenSet({
      ...options,
      ...(directory !== undefined && { directory }),
    })
    const beside = isOnDisk(name) ? { ...options, ...SMALL_DIGEST } : options
    // These cost nothing as long as they aren't used: untouched pages of memory are never backed.
    this.#pathMemory = allocateSeenSet(beside)
    this.#accountMemory = allocateSeenSet(beside)
    // What was shown often before depends on which worker was quick.
    this.#shownTexts = traps && !deterministic ? TextCountTable.allocate() : undefined
    this.#seen = openSeenSet(this.#seenMemory, 0)
    this.#paths = openSeenSet(this.#pathMemory, 0)
    this.#accounts = openSeenSet(this.#accountMemory, 0)
    this.#bodySlots = largestBodies(sizes).map((max) => new BodySlots(BodySlots.allocate(max), 0))
  }

  /** For workers. */
  get shared() {
    return {
      seen: this.#seenMemory,
      shorterPaths: this.#pathMemory,
      accounts: this.#accountMemory,
      shownTexts: this.#shownTexts,
      counters: this.counters.memory,
      bodySlots: this.#bodySlots.map(({ memory }) => memory),
    }
  }

  get seenStats(): SeenStats {
    return this.#seen.stats()
  }

  /** Puts URLs to the URL-seen test. */
  addIfNew(urls: readonly string[]): readonly boolean[] {
    return this.#seen.addIfNew(urls)
  }

  /** Those URLs that nobody has claimed. */
  addNew(urls: readonly string[]): readonly string[] {
    return newOf(urls, this.#seen.addIfNew(urls))
  }

  /** Those URLs that nobody has claimed by now. */
  newAmong(urls: readonly string[]): readonly string[] {
    const isKnown = this.#seen.has(urls)
    return urls.filter((_, index) => !isKnown[index])
  }

  /** Adds what a dead worker was about to account for, in its place: to be called before its locks are freed. */
  addAccounted(owner: number, keys: readonly string[]): void {
    openSeenSet(this.#accountMemory, owner).addIfNew(keys)
  }

  /** Those that were not told before by the same key; for crawls where no path can become shorter. */
  firstByKey<T>(all: readonly T[], keyOf: (each: T) => string): readonly T[] {
    return newOf(all, this.#paths.addIfNew(all.map(keyOf)))
  }

  /** Takes URLs out that were added; false when this set can't forget. */
  forget(urls: readonly string[]): boolean {
    if (this.#seen.forget === undefined) return false
    this.#seen.forget(urls)
    return true
  }

  /** Writes the seen set to a file; gives the checksum of that. */
  write(file: string): Promise<number> {
    return writeSnapshot(this.#seenMemory, file)
  }

  /** Reads the seen set from a file; false when that doesn't hold what the checksum says. */
  read(file: string, checksum: number): boolean {
    return loadSnapshot(this.#seenMemory, file, checksum)
  }

  /** A URL of this depth is handed out. */
  raiseDeepest(depth: number): void {
    if (depth > this.counters.deepest) this.counters.deepest = depth
  }

  /** Removes what is of no use to anybody any more; nobody asks the seen set after that. */
  close(): void {
    this.#seen.close?.()
    discardSeenSet(this.#seenMemory)
  }

  /** Frees what a dead worker held. */
  release(owner: number): void {
    this.#seen.release(owner)
    this.#paths.release(owner)
    this.#accounts.release(owner)
    for (const slots of this.#bodySlots) slots.release(owner)
  }
}

function newOf<T>(all: readonly T[], isNew: readonly boolean[]): readonly T[] {
  return all.filter((_, index) => isNew[index])
}

/** Of pages and, if they are larger, of sitemaps. */
function largestBodies({ maxBody, sitemaps }: Sizes): number[] {
  return sitemaps && maxBody < MAX_SITEMAP_BYTES ? [maxBody, MAX_SITEMAP_BYTES] : [maxBody]
}
