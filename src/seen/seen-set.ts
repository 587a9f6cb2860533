/** The memory behind the URL-seen test (Heydon & Najork, Mercator 1999), shared by all threads. */
export interface SeenSet {
  /**
   * One answer per canonical URL, in order: true goes to exactly one caller in the whole crawl,
   * false positives aside.
   * @param adding told the place of each URL before it is added: nobody else can add it from then on, but
   * for sets on disk, where some of these turn out to be known
   * @throws CrawlerError `output` when the disk of a set that is there is full
   */
  addIfNew(urls: readonly string[], adding?: Adding): readonly boolean[]
  /**
   * One answer per canonical URL, in order: whether somebody has added it, false positives aside.
   * Adds nothing; a URL that another thread is adding right now may count as either.
   */
  has(urls: readonly string[]): readonly boolean[]
  /**
   * One answer per canonical URL, in order: whether it was there. To be asked only for URLs that were
   * added. Absent where nothing can be taken out again.
   */
  forget?(urls: readonly string[]): readonly boolean[]
  /** Frees the locks that the thread `owner` held when it died; call it only after its end. */
  release(owner: number): void
  /** Never touches the disk, so it may be called when what was there has gone. */
  stats(): SeenStats
  /** Closes the files that this thread has open; absent where all is in memory. */
  close?(): void
}

/** Called with the place of a URL in a batch. */
export type Adding = (place: number) => void

/** A seen set that URLs can be taken out of again. */
export interface ForgettingSeenSet extends SeenSet {
  /** One answer per canonical URL, in order: whether it was there. To be asked only for URLs that were added. */
  forget(urls: readonly string[]): readonly boolean[]
}

export interface SeenStats {
  /** URLs that were answered with true, by all threads. */
  readonly added: number
  /** Memory held, in bytes. */
  readonly bytes: number
  /** URLs on disk, in bytes, without the database's log; absent where all is in memory. */
  readonly diskBytes?: number
  /** Share of the room that is taken, 0 to 1: bits set, slots taken, or bytes of URLs. */
  readonly fill: number
  /** Chance that a new URL is taken for a known one right now; 0 for an exact set. */
  readonly falsePositiveRate: number
  /** URLs lost to false positives by now, as the rate at each insertion lets expect. */
  readonly expectedLost: number
  /** What came of a sample of the URLs; absent where none is needed. */
  readonly audit?: AuditStats
}

/** What was found by keeping the whole hashes of a sample of the URLs. */
export interface AuditStats {
  /** Share of the URLs that is in the sample now. */
  readonly share: number
  /** URLs that were in the sample, new and lost ones. */
  readonly sampled: number
  /** Those that were lost. */
  readonly mistakes: number
  /** Share of all URLs lost so far, as the sample tells. */
  readonly lostShare: number
}

export type SeenName =
  | 'bloom-growing'
  | 'bloom'
  | 'bloom-counting'
  | 'bloom-aging'
  | 'digest'
  | 'exact'
  | 'sqlite'
  | 'hybrid'

/** HalfSipHash-1-3 has 64 bits, the others 128, 160 and 256. */
export type DigestName = 'halfsiphash' | 'md5' | 'sha-1' | 'sha-256'

/** What a seen set is sized from. */
export interface SeenOptions {
  readonly name: SeenName
  readonly expectedUrls: number
  /** Wanted rate, above 0 and below 1, once `expectedUrls` are in; sets without a filter ignore it. */
  readonly falsePositiveRate: number
  /** What `digest` keeps of a URL; `halfsiphash` when absent. */
  readonly digest?: DigestName
  /** Milliseconds after which `bloom-aging` forgets a URL that was not met again; a day when absent. */
  readonly forgetAfter?: number
  /** Where `sqlite` and `hybrid` keep URLs; in temporary files when absent. */
  readonly directory?: string
  /** For a crawl that resumes, and for tests; random when absent. */
  readonly key?: HashKey
}

/** What a seen set is going to cost. */
export interface SeenPlan {
  /** Hash functions per URL; those of the last slice where there are several. Absent without a filter. */
  readonly hashes?: number
  /** Memory once all URLs are in, in bytes. */
  readonly bytes: number
  /** Room on disk then, for URLs of 100 bytes; absent where all is in memory. */
  readonly diskBytes?: number
  /** URLs that are lost on the way there. */
  readonly expectedLost: number
  /** Why it can't be had, in a sentence that names the limit. */
  readonly refusal?: string
}

/** The 64-bit secret of the hash, as two 32-bit words: without it nobody can craft collisions. */
export type HashKey = readonly [number, number]
