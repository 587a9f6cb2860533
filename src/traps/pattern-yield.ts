import type { TrapLimits } from './trap-limits.ts'

/**
 * The verdict on a URL: fetch it, defer it until its host has no others, or drop it. `probe` also defers it: of such
 * URLs, the farthest from the seeds is fetched first, since such a path soon ends on a site that isn't endless.
 */
export type TrapVerdict = 'fetch' | 'defer' | 'probe' | 'drop'

/** Share of visits with something new below which a pattern is doubtful. */
const DOUBTFUL_NOVELTY = 0.5

/** The result of one visit, as seen from a pattern. */
export interface VisitYield {
  /** Number of visits that this one stands for. */
  readonly weight: number
  /** Number of links from a seed. */
  readonly depth: number
  /** True if the page has content that its host has rarely shown before. */
  readonly hasNewContent: boolean
  /** Number of new URLs of other patterns that are not dull themselves. */
  readonly outside: number
  /** Number of all new URLs. */
  readonly discovered: number
  /** Number of all links of the page. */
  readonly linkCount: number
}

/** The results of all visits of one path pattern, summed up in a few numbers. */
export class PatternYield {
  readonly pattern: string
  readonly #limits: TrapLimits
  #visits = 0
  #discovered = 0
  #sinceNewContent = 0
  #sinceOutside = 0
  /** Exponential means. Shares start with values that raise no suspicion. */
  #novelty = 1
  #selfDiscovered = 0
  #newLinks = 0
  #depth = 0
  #firstDepth: number | undefined
  /** Depth of the deepest page that was visited before the pattern was probed. */
  #deepest = 0
  /** Depth of the latest page. */
  #latestDepth = 0
  /** Number of times that the pattern turned out to be no maze. */
  #refuted = 0
  #verdict: TrapVerdict = 'fetch'

  constructor(pattern: string, limits: TrapLimits) {
    this.pattern = pattern
    this.#limits = limits
  }

  get verdict(): TrapVerdict {
    return this.#verdict
  }

  /** True if a series of the latest pages had no new content, regardless of their links. */
  get isDull(): boolean {
    return this.#sinceNewContent >= this.#limits.dullVisits
  }

  /** True if the pattern may turn out to be a trap. */
  get isDoubtful(): boolean {
    return this.#novelty < DOUBTFUL_NOVELTY
  }

  /** Counts a new URL of this pattern. @param bySelf whether a page of this pattern links to it */
  countDiscovered(bySelf: boolean, weight: number): void {
    this.#discovered += weight
    this.#selfDiscovered = this.#mean(this.#selfDiscovered, bySelf ? 1 : 0, weight)
  }

  /** Adds the result of a visit, and updates the verdict. */
  visited({ weight, depth, hasNewContent, outside, discovered, linkCount }: VisitYield): void {
    this.#firstDepth ??= depth
    this.#visits += weight
    this.#sinceNewContent = hasNewContent ? 0 : this.#sinceNewContent + weight
    this.#sinceOutside = outside > 0 ? 0 : this.#sinceOutside + weight
    this.#novelty = this.#mean(this.#novelty, hasNewContent || outside > 0 ? 1 : 0, weight)
    this.#newLinks = this.#mean(this.#newLinks, discovered / Math.max(linkCount, 1), weight)
    this.#latestDepth = depth
    if (this.#verdict !== 'probe') {
      // Probed pages are on one path, which may be long on finite sites, too.
      this.#depth = this.#mean(this.#depth, depth, weight)
      this.#deepest = Math.max(this.#deepest, depth)
    }
    if (this.#verdict !== 'drop') this.#update(this.#judge())
  }

  /** Notes a page that leads nowhere. It shows that a pattern that is probed has an end. */
  reachedDeadEnd(): void {
    if (this.#verdict !== 'probe') return
    this.#newLinks = this.#mean(this.#newLinks, 0, 1)
    this.#update(this.#judge())
  }

  #update(verdict: TrapVerdict): void {
    if (this.#verdict === 'probe' && (verdict === 'fetch' || verdict === 'defer')) {
      this.#refuted++
      this.#sinceOutside = 0
    }
    this.#verdict = verdict
  }

  #mean(before: number, value: number, weight: number): number {
    return before + (value - before) * Math.min(1, weight / this.#limits.window)
  }

  #judge(): TrapVerdict {
    // If other patterns link to its URLs, their number is finite, or the other patterns are the trap.
    if (this.#selfDiscovered < this.#limits.selfDiscovered) return 'fetch'
    if (this.#isBarren()) return 'drop'
    if (this.#isMaze()) return this.#judgeMaze()
    return this.#isSuspect() ? 'defer' : 'fetch'
  }

  #judgeMaze(): TrapVerdict {
    // A very large site may look like a maze, so one with new content is only deferred.
    if (this.#novelty >= this.#limits.trapNovelty) return 'defer'
    return this.#isBottomless() ? 'drop' : 'probe'
  }

  #isSuspect(): boolean {
    const { suspectVisits, suspectNovelty } = this.#limits
    return this.#visits >= suspectVisits * this.#patience && this.#novelty < suspectNovelty
  }

  #isBarren(): boolean {
    const { trapVisits, trapNovelty } = this.#limits
    return this.#visits >= trapVisits * this.#patience && this.#novelty < trapNovelty
  }

  /** Factor for the number of visits that are needed: 1 for a pattern that leads ever deeper. */
  get #patience(): number {
    const { deepLinks, wideFactor } = this.#limits
    return this.#depth - (this.#firstDepth ?? 0) >= deepLinks ? 1 : wideFactor
  }

  #isMaze(): boolean {
    const { mazeVisits, mazeNewLinks } = this.#limits
    if (this.#sinceOutside < mazeVisits * 2 ** this.#refuted) return false
    return this.#newLinks >= mazeNewLinks && this.#discovered >= 2 * this.#visits
  }

  /** Returns whether a path through a maze, each page of which links to several new ones, did not end. */
  #isBottomless(): boolean {
    const { mazeVisits, deepLinks } = this.#limits
    return this.#visits >= 2 * mazeVisits && this.#latestDepth - this.#deepest >= deepLinks
  }
}
