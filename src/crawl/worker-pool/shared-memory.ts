import { defersSeenCheck, type SeenCheckSettings } from '../../config/defers-seen-check.ts'
import type { HashKey } from '../../hashing/half-siphash.ts'
import { TextCountTable } from '../../html/boilerplate/text-count-table.ts'
import { Counters } from '../../messages/counters.ts'
import { fieldsOf } from '../../page-data/field.ts'
import { CONTENT_FIELDS, FieldMatches } from '../../page-data/field-matches.ts'
import { BodySlots, MAX_SITEMAP_BYTES } from '../../runtime/shared-body-memory.ts'
import { seenKeys } from '../../seen/seen-generation.ts'
import type { DigestName, SeenName, SeenStats } from '../../seen/seen-set.ts'
import {
  allocateSeenSet,
  discardSeenSet,
  isOnDisk,
  openSeenSet,
} from '../../seen/seen-set-lifecycle.ts'
import { loadSnapshot, writeSnapshot } from '../../seen/snapshot.ts'
import { type LimitMemory, RequestLimits } from '../../throttle/request-limits.ts'
import { SharedRate } from '../../throttle/shared-rate.ts'

interface MemorySettings extends SeenCheckSettings {
  readonly workers: number
  readonly seen: SeenName
  readonly expectedUrls: number
  readonly falsePositiveRate: number
  readonly digest: DigestName
  /** Milliseconds of `--forget-after`. */
  readonly forgetAfter: number
  readonly traps: boolean
  readonly extract?: Readonly<Record<string, string>>
  readonly maxBody: number
  readonly sitemaps: boolean
  readonly rate?: number | undefined
  readonly bandwidth?: number | undefined
  /** The servers of a shared queue. */
  readonly frontier?: readonly unknown[]
}

/** A set of digests in memory, which grows. Used for the other sets if the seen set is on disk. */
const SMALL_DIGEST = { name: 'digest', digest: 'halfsiphash', expectedUrls: 10_000 } as const

/** Memory that all threads of a crawl share: the seen set, counters, and room for large bodies. */
export class SharedMemory {
  readonly counters: Counters
  /** Counts of pages with matches of the fields of `--extract`. */
  readonly fieldMatches: FieldMatches
  /** Count of pages with the element of `--content`. */
  readonly contentMatches = new FieldMatches(CONTENT_FIELDS)
  readonly #seenMemory
  readonly #pathMemory
  readonly #skipMemory
  readonly #textCounts
  readonly #seen
  readonly #paths
  readonly #countedSkips
  readonly #defersSeenCheck: boolean
  readonly #bodySlots: readonly BodySlots[]
  readonly #limits: LimitMemory
  /** The rates of `--rate` and `--bandwidth`. */
  readonly rates: { readonly [Name in keyof LimitMemory]: SharedRate | undefined }

  /**
   * @param key secret of the seen set's hash
   * @param directory of a seen set on disk. Without it, the set is in temporary files
   * @throws CrawlerError('usage') if the seen set is too large
   */
  constructor(settings: MemorySettings, key: HashKey, directory?: string) {
    const { workers, seen: name, expectedUrls, falsePositiveRate } = settings
    const { digest, forgetAfter, traps, deterministic } = settings
    const options = { name, expectedUrls, falsePositiveRate, digest, forgetAfter, key }
    this.counters = new Counters(Counters.allocate(workers))
    this.fieldMatches = new FieldMatches(fieldsOf(settings.extract ?? {}))
    this.#seenMemory = allocateSeenSet({
      ...options,
      ...(directory !== undefined && { directory }),
    })
    const others = isOnDisk(name) ? { ...options, ...SMALL_DIGEST } : options
    // These cost nothing until they are used: the system allocates a memory page when it is first written.
    this.#pathMemory = allocateSeenSet(others)
    this.#skipMemory = allocateSeenSet(others)
    // A deterministic crawl has no counts of texts: which ones were frequent so far depends on the speed of workers.
    this.#textCounts = traps && !deterministic ? TextCountTable.allocate() : undefined
    this.#defersSeenCheck = defersSeenCheck(settings)
    this.#seen = openSeenSet(this.#seenMemory, 0)
    this.#paths = openSeenSet(this.#pathMemory, 0)
    this.#countedSkips = openSeenSet(this.#skipMemory, 0)
    const isShared = (settings.frontier ?? []).length > 0
    this.#limits = RequestLimits.allocate(settings, workers, isShared)
    const { requestRate, byteRate } = this.#limits
    this.rates = {
      requestRate: requestRate && new SharedRate(requestRate, 0),
      byteRate: byteRate && new SharedRate(byteRate, 0),
    }
    this.#bodySlots = largestBodies(settings).map(
      (max) => new BodySlots(BodySlots.allocate(max), 0),
    )
  }

  /** The memory for workers. */
  get shared() {
    return {
      seen: this.#seenMemory,
      shorterPaths: this.#pathMemory,
      countedSkips: this.#skipMemory,
      textCounts: this.#textCounts,
      counters: this.counters.memory,
      fieldMatches: this.fieldMatches.memory,
      contentMatches: this.contentMatches.memory,
      ...this.#limits,
      bodySlots: this.#bodySlots.map(({ memory }) => memory),
    }
  }

  get seenStats(): SeenStats {
    return this.#seen.stats()
  }

  /** Adds URLs to the seen set. Returns for each whether it was new. */
  addIfNew(urls: readonly string[]): readonly boolean[] {
    return this.#seen.addIfNew(seenKeys(urls, this.counters.seenGeneration))
  }

  /** Adds URLs to the seen set. Returns the new ones. */
  addNew(urls: readonly string[]): readonly string[] {
    return newOf(urls, this.addIfNew(urls))
  }

  /** Returns the URLs that are not in the seen set, and does not add them. */
  keepUnseen(urls: readonly string[]): readonly string[] {
    const isKnown = this.#seen.has(urls)
    return urls.filter((_, index) => !isKnown[index])
  }

  /** Like `markSkipsCounted`, with the locks of a dead worker. Must be called before these are freed. */
  markSkipsCountedFor(owner: number, keys: readonly string[]): void {
    openSeenSet(this.#skipMemory, owner).addIfNew(keys)
  }

  /** Marks skipped URLs as counted, by their keys. Returns for each whether it was not. */
  markSkipsCounted(keys: readonly string[]): readonly boolean[] {
    if (this.#defersSeenCheck) this.markReported(keys, (key) => key)
    return this.#countedSkips.addIfNew(keys)
  }

  /**
   * Returns the items whose key was not reported before. Uses the set of shorter paths, which workers don't use if the
   * main thread makes the seen check.
   */
  markReported<T>(all: readonly T[], keyOf: (each: T) => string): readonly T[] {
    return newOf(all, this.#paths.addIfNew(all.map(keyOf)))
  }

  /** Removes URLs from the seen set. Returns false if this kind of set can't remove URLs. */
  forget(urls: readonly string[]): boolean {
    if (this.#seen.forget === undefined) return false
    this.#seen.forget(urls)
    return true
  }

  /** Writes a snapshot of the seen set to a file. Resolves with its checksum. */
  writeSnapshot(file: string): Promise<number> {
    return writeSnapshot(this.#seenMemory, file)
  }

  /** Reads the seen set from a snapshot. Returns false if its checksum doesn't match. */
  readSnapshot(file: string, checksum: number): boolean {
    return loadSnapshot(this.#seenMemory, file, checksum)
  }

  /** Notes that a URL of this depth is handed out. */
  raiseDeepest(depth: number): void {
    if (depth > this.counters.deepest) this.counters.deepest = depth
  }

  /** Closes the seen set, and removes its temporary files. */
  close(): void {
    this.#seen.close?.()
    discardSeenSet(this.#seenMemory)
  }

  /** Frees the locks and slots of a dead worker. */
  release(owner: number): void {
    this.#seen.release(owner)
    this.#paths.release(owner)
    this.#countedSkips.release(owner)
    for (const slots of this.#bodySlots) slots.release(owner)
    this.rates.requestRate?.release(owner)
    this.rates.byteRate?.release(owner)
  }
}

function newOf<T>(all: readonly T[], isNew: readonly boolean[]): readonly T[] {
  return all.filter((_, index) => isNew[index])
}

/** Returns the maximum sizes of bodies: that of pages, and that of sitemaps if it is larger. */
function largestBodies({ maxBody, sitemaps }: MemorySettings): number[] {
  return sitemaps && maxBody < MAX_SITEMAP_BYTES ? [maxBody, MAX_SITEMAP_BYTES] : [maxBody]
}
