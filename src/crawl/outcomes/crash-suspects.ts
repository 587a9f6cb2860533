import type { CrawlUrl } from '../../records/crawl-url.ts'

/** A page that kills this many workers is given up. */
const MAX_DEATHS = 4

const NONE: readonly CrawlUrl[] = []

/** Decision on the URLs of a dead worker. */
interface CrashVerdict {
  /** URLs that run again. */
  readonly retry: readonly CrawlUrl[]
  /** URLs that wait to run alone. */
  readonly held: readonly CrawlUrl[]
  /** URLs that are given up. */
  readonly guilty: readonly CrawlUrl[]
}

/**
 * Finds the URL that kills workers. All URLs of a worker that died are suspects. One death may be an accident, so they
 * run again at once. After a second death they run one after the other, each in a worker of its own, so that the
 * guilty URL can't kill a worker with other URLs.
 */
export class CrashSuspects {
  readonly #deaths = new Map<number, number>()
  readonly #held: CrawlUrl[] = []
  /** The held suspect that runs now. */
  #running: number | undefined

  /** Decides on the URLs of a worker that died. */
  judge(crawlUrls: readonly CrawlUrl[]): CrashVerdict {
    const retry: CrawlUrl[] = []
    const held: CrawlUrl[] = []
    const guilty: CrawlUrl[] = []
    for (const crawlUrl of crawlUrls) {
      const deaths = (this.#deaths.get(crawlUrl.id) ?? 0) + 1
      this.#deaths.set(crawlUrl.id, deaths)
      if (crawlUrl.id === this.#running) this.#running = undefined
      if (deaths >= MAX_DEATHS) guilty.push(crawlUrl)
      else if (deaths === 1) retry.push(crawlUrl)
      else held.push(crawlUrl)
    }
    this.#held.push(...held)
    return { retry: [...retry, ...this.#next()], held, guilty }
  }

  /** Returns whether a URL runs now as the only suspect. */
  runsAlone(id: number): boolean {
    return id === this.#running
  }

  /** Clears a URL that has an outcome. Returns the next suspect to run, if none runs. */
  clear(id: number): readonly CrawlUrl[] {
    if (this.#deaths.size === 0) return NONE
    if (this.#deaths.delete(id) && id === this.#running) this.#running = undefined
    return this.#next()
  }

  #next(): readonly CrawlUrl[] {
    if (this.#running !== undefined) return []
    const suspect = this.#held.shift()
    this.#running = suspect?.id
    return suspect === undefined ? [] : [suspect]
  }
}
