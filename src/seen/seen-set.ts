import type { HashKey } from '../hashing/half-siphash.ts'

/** The memory behind the URL-seen test (Heydon & Najork, Mercator 1999), shared by all threads. */
export interface SeenSet {
  /**
   * Adds URLs and returns for each canonical URL, in order, whether it is new: true goes to exactly
   * one caller in the whole crawl, apart from false positives.
   * @param beforeAdd called with the index of each URL before it is added; nobody else can add it
   * from then on. In sets on disk some of these turn out to be known.
   * @throws CrawlerError('output') when the disk of the set is full
   */
  addIfNew(urls: readonly string[], beforeAdd?: BeforeAdd): readonly boolean[]
  /**
   * Returns for each canonical URL, in order, whether it was added, apart from false positives.
   * Adds nothing; for a URL that another thread is adding right now, either answer is possible.
   */
  has(urls: readonly string[]): readonly boolean[]
  /**
   * Removes URLs and returns for each canonical URL, in order, whether it was there. Only for URLs
   * that were added. Absent where nothing can be removed.
   */
  forget?(urls: readonly string[]): readonly boolean[]
  /** Frees the locks that the thread `owner` held when it died; call it only after its end. */
  release(owner: number): void
  /** Never touches the disk, so it works even when the files are gone. */
  stats(): SeenStats
  /** Closes this thread's open files; absent where everything is in memory. */
  close?(): void
}

/** Called with the index of a URL in a batch. */
export type BeforeAdd = (place: number) => void

/** A seen set from which URLs can be removed. */
export type ForgettingSeenSet = SeenSet & Required<Pick<SeenSet, 'forget'>>

export interface SeenStats {
  /** URLs that were new, over all threads. */
  readonly added: number
  /** Memory in use, in bytes. */
  readonly bytes: number
  /** Bytes of URLs on disk, without the database's log; absent where everything is in memory. */
  readonly diskBytes?: number
  /** Share of the capacity in use, 0 to 1: bits set, slots taken, or bytes of URLs. */
  readonly fill: number
  /** Current probability that a new URL is taken for a known one; 0 for an exact set. */
  readonly falsePositiveRate: number
  /** URLs lost to false positives so far, as expected from the rate at each insertion. */
  readonly expectedLost: number
  /** Results of auditing a sample of the URLs; absent where none is needed. */
  readonly audit?: AuditStats
}

/** Results of storing the full hashes of a sample of the URLs. */
export interface AuditStats {
  /** Share of the URLs that is in the sample now. */
  readonly share: number
  /** URLs that were in the sample, new and lost ones. */
  readonly sampled: number
  /** Sampled URLs that were lost. */
  readonly mistakes: number
  /** Estimated share of all URLs lost so far. */
  readonly lostShare: number
}

type SeenLosses = Pick<SeenStats, 'expectedLost' | 'audit'>

/** Returns whether a seen set has probably taken no new URL for a known one. */
export function isProbablyComplete({ expectedLost, audit }: SeenLosses): boolean {
  return expectedLost < 0.5 && (audit?.mistakes ?? 0) === 0
}

/** Seen sets of one process, as `--seen` names them; the first one is the default. */
export const SEEN_SET_NAMES = [
  ...(['bloom-growing', 'bloom', 'bloom-counting', 'bloom-aging'] as const),
  ...(['digest', 'exact', 'sqlite', 'hybrid'] as const),
] as const
export type SeenName = (typeof SEEN_SET_NAMES)[number]

/** Hashes that `digest` may store. HalfSipHash-1-3 has 64 bits, the others 128, 160 and 256. */
export const DIGEST_NAMES = ['halfsiphash', 'md5', 'sha-1', 'sha-256'] as const
export type DigestName = (typeof DIGEST_NAMES)[number]

/** Default of `--expected-urls`. */
export const DEFAULT_EXPECTED_URLS = 1_000_000

/** Parameters of a seen set. */
export interface SeenOptions {
  readonly name: SeenName
  readonly expectedUrls: number
  /**
   * False-positive rate after `expectedUrls`, above 0 and below 1; sets without a filter ignore it.
   */
  readonly falsePositiveRate: number
  /** Hash that `digest` stores of a URL; default `halfsiphash`. */
  readonly digest?: DigestName
  /**
   * Milliseconds after which `bloom-aging` forgets a URL that was not found again; default a day.
   */
  readonly forgetAfter?: number
  /** Directory of `sqlite` and `hybrid`; temporary files by default. */
  readonly directory?: string
  /** Key of the hash, for a resumed crawl and for tests; random by default. */
  readonly key?: HashKey
}

/** Expected cost of a seen set. */
export interface SeenPlan {
  /** Hash functions per URL, in the last slice if there are several. Absent without a filter. */
  readonly hashes?: number
  /** Memory in bytes, once all URLs are in. */
  readonly bytes: number
  /** Disk space in bytes then, for URLs of 100 bytes; absent if everything is in memory. */
  readonly diskBytes?: number
  /** Expected number of URLs that are lost until then. */
  readonly expectedLost: number
  /** Reason why it is impossible, in a sentence that names the limit. */
  readonly refusal?: string
}
