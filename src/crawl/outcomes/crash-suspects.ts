import type { CrawlUrl } from '../../records/crawl-url.ts'

/** A page that kills this many workers is given up. */
const MAX_DEATHS = 4

/** What is to become of the URLs that a dead worker held. */
interface Verdict {
  /** They run again now. */
  readonly again: readonly CrawlUrl[]
  /** They wait for their turn to run alone. */
  readonly held: readonly CrawlUrl[]
  /** They are given up. */
  readonly guilty: readonly CrawlUrl[]
}

/**
 * URLs that were in the hands of workers that died. One death may be an accident, and they run
 * again at once; after that they run one after the other, so that the guilty one dies alone.
 */
export class CrashSuspects {
  readonly #deaths = new Map<number, number>()
  readonly #held: CrawlUrl[] = []
  /** The suspect that runs now. */
  #tried: number | undefined

  judge(crawlUrls: readonly CrawlUrl[]): Verdict {
    const again: CrawlUrl[] = []
    const held: CrawlUrl[] = []
    const guilty: CrawlUrl[] = []
    for (const crawlUrl of crawlUrls) {
      const deaths = (this.#deaths.get(crawlUrl.id) ?? 0) + 1
      this.#deaths.set(crawlUrl.id, deaths)
      if (crawlUrl.id === this.#tried) this.#tried = undefined
      if (deaths >= MAX_DEATHS) guilty.push(crawlUrl)
      else if (deaths === 1) again.push(crawlUrl)
      else held.push(crawlUrl)
    }
    this.#held.push(...held)
    return { again: [...again, ...this.#next()], held, guilty }
  }

  /** A URL is settled; gives the suspect whose turn it is, if that was the one before. */
  clear(id: number): readonly CrawlUrl[] {
    if (this.#deaths.delete(id) && id === this.#tried) this.#tried = undefined
    return this.#next()
  }

  #next(): readonly CrawlUrl[] {
    if (this.#tried !== undefined) return []
    const suspect = this.#held.shift()
    this.#tried = suspect?.id
    return suspect === undefined ? [] : [suspect]
  }
}
