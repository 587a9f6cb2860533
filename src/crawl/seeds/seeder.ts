import type { RobotsReply } from '../../messages/messages.ts'
import { originOf } from '../../url/origin.ts'
import type { CrawlState } from '../crawl-state.ts'
import { sitemapsOf } from './sitemaps.ts'

/** Puts into the frontier what no page has named: seeds and sitemaps. */
export class Seeder {
  readonly #state: CrawlState
  /** What robots.txt of origins said, whose sitemaps have to wait. */
  #held: (readonly [origin: string, reply: RobotsReply])[] = []

  constructor(state: CrawlState) {
    this.#state = state
  }

  addSeeds(): void {
    const { config, frontier, memory, seeds } = this.#state
    const isNew = memory.addIfNew(seeds.urls)
    // Seeds given twice are one; they count as what a worker met again.
    memory.counters.add(1, 'duplicate', isNew.filter((fresh) => !fresh).length)
    for (const url of new Set(seeds.urls)) frontier.addSeed(url, performance.now())
    if (!config.ignoreRobots) return
    for (const origin of new Set(seeds.urls.map(originOf))) this.#addSitemaps(origin)
  }

  /** Adds the seeds and sitemaps that an earlier run, by other settings, did not know. */
  addNewSeeds(): void {
    this.addSeeds()
    const { config, frontier, seeds } = this.#state
    if (config.ignoreRobots) return
    for (const origin of new Set(seeds.urls.map(originOf))) {
      const answer = frontier.snapshot.robotsOf(origin)
      if (answer !== undefined) this.#addSitemaps(origin, answer)
    }
  }

  /** robots.txt of an origin was read. */
  robotsRead(origin: string, reply: RobotsReply): void {
    if (this.#state.config.deterministic) this.#held.push([origin, reply])
    else this.#addSitemaps(origin, reply)
  }

  /** Answers come in any order: what they name is added at a moment that is the same every time. */
  addHeld(): void {
    const held = this.#held.toSorted(([a], [b]) => (a < b ? -1 : 1))
    this.#held = []
    for (const [origin, reply] of held) this.#addSitemaps(origin, reply)
  }

  #addSitemaps(origin: string, reply?: RobotsReply): void {
    const { config, frontier, memory, scope, seeds } = this.#state
    // Of the seeds only: what enters at depth 0 later than their pages would come too late for some.
    if (!config.sitemaps || !seeds.hasOrigin(origin)) return
    // Where robots.txt can't be had, or not yet, nothing may be fetched.
    if (reply?.access === 'moved' || reply?.access === 'disallow-all') return
    const urls = sitemapsOf(origin, reply, (url) => scope.contains(url))
    memory.addIfNew(urls)
    frontier.addSitemaps(urls, performance.now())
  }
}
