import { setImmediate as turn } from 'node:timers/promises'
import type { Frontier } from '../../frontier/frontier.ts'
import type { RobotsReply } from '../../messages/from-worker.ts'
import { hostKey } from '../../url/host-key.ts'
import { originOf } from '../../url/origin.ts'
import { LinkResolver } from '../../url/resolve.ts'
import type { SharedMemory } from '../worker-pool/shared-memory.ts'
import type { CrawlScope } from './crawl-scope.ts'
import type { ScopeHints } from './scope-hints.ts'
import type { SeedTracker } from './seed-tracker.ts'

/** Number of seeds to add at a time. */
const BATCH = 10_000

interface SeederParts {
  readonly config: {
    readonly deterministic: boolean
    readonly ignoreRobots: boolean
    readonly repeatedSeeds: number
    readonly sitemaps: boolean
  }
  readonly frontier: Pick<Frontier, 'addSeed' | 'addSitemaps' | 'stored'>
  readonly hints: Pick<ScopeHints, 'begin' | 'unreadSitemaps'>
  readonly memory: Pick<SharedMemory, 'addIfNew' | 'counters'>
  readonly scope: CrawlScope
  readonly seeds: SeedTracker
}

/** Adds the URLs that no page links to: seeds and their sitemaps. */
export class Seeder {
  readonly #parts: SeederParts
  /** Replies for robots.txt whose sitemaps are held back, by origin. */
  readonly #replies = new Map<string, RobotsReply>()

  constructor(parts: SeederParts) {
    this.#parts = parts
  }

  /**
   * Adds the seeds in batches, between which timers and signals are handled.
   * @returns false if the signal was aborted meanwhile
   */
  async addSeeds(signal: AbortSignal): Promise<boolean> {
    const { config, hints, memory } = this.#parts
    hints.begin()
    // Repeated seeds count as duplicates of worker 1.
    memory.counters.add(1, 'duplicate', config.repeatedSeeds)
    return this.#addSeeds(signal, (urls) => {
      const isNew = memory.addIfNew(urls)
      memory.counters.add(1, 'duplicate', isNew.filter((fresh) => !fresh).length)
    })
  }

  /** @param remember adds URLs to the seen set */
  async #addSeeds(
    signal: AbortSignal,
    remember: (urls: readonly string[]) => void,
  ): Promise<boolean> {
    const { config, frontier, seeds } = this.#parts
    for (let from = 0; from < seeds.urls.length; from += BATCH) {
      if (from > 0) await turn()
      if (signal.aborted) return false
      const urls = seeds.urls.slice(from, from + BATCH)
      remember(urls)
      for (const url of new Set(urls)) frontier.addSeed(url, performance.now())
    }
    if (!config.ignoreRobots) return true
    for (const origin of new Set(seeds.urls.map(originOf))) this.#addSitemaps(origin)
    return true
  }

  /** Adds the seeds and sitemaps that an earlier run with other settings did not know. */
  async addNewSeeds(signal: AbortSignal): Promise<boolean> {
    const { config, frontier, memory, seeds } = this.#parts
    // Seeds that the earlier run knew don't count as duplicates.
    if (!(await this.#addSeeds(signal, (urls) => memory.addIfNew(urls)))) return false
    if (config.ignoreRobots) return true
    for (const origin of new Set(seeds.urls.map(originOf))) {
      const answer = frontier.stored.robotsOf(origin)
      if (answer !== undefined) this.#addSitemaps(origin, answer)
    }
    return true
  }

  /** Adds the sitemaps that a robots.txt names, or holds them back with `--deterministic`. */
  robotsRead(origin: string, reply: RobotsReply): void {
    const { config, hints, seeds } = this.#parts
    if (!config.sitemaps) hints.unreadSitemaps(origin, sitemapsNamedIn(reply).length)
    else if (config.deterministic) {
      seeds.heldSitemaps.add(origin)
      this.#replies.set(origin, reply)
    } else this.#addSitemaps(origin, reply)
  }

  /** Adds the sitemaps that were held back, in the same order every time. */
  addHeld(): void {
    const { frontier, seeds } = this.#parts
    const held = [...seeds.heldSitemaps].toSorted()
    seeds.heldSitemaps.clear()
    for (const origin of held) {
      // If an earlier run held them back, the frontier has the reply.
      const reply = this.#replies.get(origin) ?? frontier.stored.robotsOf(origin)
      if (reply !== undefined) this.#addSitemaps(origin, reply)
    }
    this.#replies.clear()
  }

  #addSitemaps(origin: string, reply?: RobotsReply): void {
    const { config, frontier, memory, scope, seeds } = this.#parts
    // Only for origins of seeds. Other sitemaps are found later: some of the URLs to which they give depth 0 would
    // already be crawled at a greater depth.
    if (!config.sitemaps || !seeds.wantsSitemapsOf(origin)) return
    // Without the robots.txt, nothing may be fetched from the origin.
    if (reply?.access === 'moved' || reply?.access === 'disallow-all') return
    const urls = sitemapsOf(origin, reply, (url) => scope.contains(url))
    memory.addIfNew(urls)
    frontier.addSitemaps(urls, performance.now())
  }
}

/**
 * Returns the sitemaps of an origin (sitemaps.org, "Submitting your Sitemap"): those that its robots.txt names, or the
 * one in the usual place.
 * @param isWanted returns whether a sitemap of another host is wanted
 */
function sitemapsOf(
  origin: string,
  robots: RobotsReply | undefined,
  isWanted: (url: string) => boolean,
): string[] {
  const resolver = new LinkResolver(`${origin}/robots.txt`)
  const urls = sitemapsNamedIn(robots).flatMap((href) => resolver.resolve(href) ?? [])
  const host = hostKey(`${origin}/`)
  const wanted = urls.filter((url) => hostKey(url) === host || isWanted(url))
  return wanted.length > 0 ? wanted : [`${origin}/sitemap.xml`]
}

function sitemapsNamedIn(robots: RobotsReply | undefined): readonly string[] {
  return robots?.access === 'rules' ? robots.rules.sitemaps : []
}
