/** The memory behind the URL-seen test (Heydon & Najork, Mercator 1999), shared by all threads. */
export interface SeenSet {
  /**
   * One answer per canonical URL, in order: true goes to exactly one caller in the whole crawl,
   * false positives aside. Sets in shared memory answer at once; remote ones give a promise.
   */
  addIfNew(urls: readonly string[]): readonly boolean[] | Promise<readonly boolean[]>
  /**
   * One answer per canonical URL, in order: whether somebody has added it, false positives aside.
   * Adds nothing; a URL that another thread is adding right now may count as either.
   */
  has(urls: readonly string[]): readonly boolean[] | Promise<readonly boolean[]>
  /** Frees the locks that the thread `owner` held when it died; call it only after its end. */
  release(owner: number): void
  stats(): SeenStats
}

export interface SeenStats {
  /** URLs that were answered with true, by all threads. */
  readonly added: number
  /** Memory held, in bytes. */
  readonly bytes: number
  /** Share of the room that is taken, 0 to 1: bits set, or bytes of URLs. */
  readonly fill: number
  /** Chance that a new URL is taken for a known one right now; 0 for an exact set. */
  readonly falsePositiveRate: number
}

export type SeenName = 'bloom' | 'exact'

/** What a seen set is sized from. */
export interface SeenOptions {
  readonly name: SeenName
  readonly expectedUrls: number
  /** Wanted rate once `expectedUrls` are in, above 0 and below 1; an exact set ignores it. */
  readonly falsePositiveRate: number
  /** For a crawl that resumes, and for tests; random when absent. */
  readonly key?: HashKey
}

/** The 64-bit secret of the hash, as two 32-bit words: without it nobody can craft collisions. */
export type HashKey = readonly [number, number]
