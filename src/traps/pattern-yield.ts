import type { TrapLimits } from './trap-limits.ts'

/** What is to become of a URL: fetched, left until its host has nothing else, or dropped. */
export type TrapVerdict = 'go' | 'later' | 'trap'

/** Below this share of visits with something new a pattern is doubtful. */
const DOUBTFUL_NOVELTY = 0.5

/** What one visit gave, as seen from a pattern. */
export interface Yield {
  /** How many visits it stands for. */
  readonly weight: number
  /** Links from a seed. */
  readonly depth: number
  /** The page shows something that its host has not shown before. */
  readonly isFresh: boolean
  /** New URLs of other patterns, those left out that are dull themselves. */
  readonly outside: number
  /** All new URLs. */
  readonly discovered: number
  /** All links of the page. */
  readonly links: number
}

/** What the visits of one path pattern gave: a few numbers, however many there are. */
export class PatternYield {
  readonly pattern: string
  readonly #limits: TrapLimits
  #visits = 0
  #named = 0
  #sinceFresh = 0
  #sinceOutside = 0
  /** Exponential means: the shares start where nothing is suspected. */
  #novelty = 1
  #selfNamed = 0
  #newLinks = 0
  #depth = 0
  #firstDepth: number | undefined
  #verdict: TrapVerdict = 'go'

  constructor(pattern: string, limits: TrapLimits) {
    this.pattern = pattern
    this.#limits = limits
  }

  get verdict(): TrapVerdict {
    return this.#verdict
  }

  /** Whether its pages have long shown nothing new, whatever they link to. */
  get isDull(): boolean {
    return this.#sinceFresh >= this.#limits.dullVisits
  }

  /** Whether it may turn out to be a trap. */
  get isDoubtful(): boolean {
    return this.#novelty < DOUBTFUL_NOVELTY
  }

  /** A new URL of this pattern was named. */
  named(bySelf: boolean, weight: number): void {
    this.#named += weight
    this.#selfNamed = this.#mean(this.#selfNamed, bySelf ? 1 : 0, weight)
  }

  visited({ weight, depth, isFresh, outside, discovered, links }: Yield): void {
    this.#firstDepth ??= depth
    this.#visits += weight
    this.#sinceFresh = isFresh ? 0 : this.#sinceFresh + weight
    this.#sinceOutside = outside > 0 ? 0 : this.#sinceOutside + weight
    this.#novelty = this.#mean(this.#novelty, isFresh || outside > 0 ? 1 : 0, weight)
    this.#newLinks = this.#mean(this.#newLinks, discovered / Math.max(links, 1), weight)
    this.#depth = this.#mean(this.#depth, depth, weight)
    if (this.#verdict !== 'trap') this.#verdict = this.#judge()
  }

  #mean(before: number, value: number, weight: number): number {
    return before + (value - before) * Math.min(1, weight / this.#limits.window)
  }

  #judge(): TrapVerdict {
    // What it did not name itself is finite, or it is the fault of the pattern that names it.
    if (this.#selfNamed < this.#limits.selfNamed) return 'go'
    if (this.#isBarren()) return 'trap'
    return this.#isSuspect() || this.#isMaze() ? 'later' : 'go'
  }

  #isSuspect(): boolean {
    const { suspectVisits, suspectNovelty } = this.#limits
    return this.#visits >= suspectVisits * this.#patience && this.#novelty < suspectNovelty
  }

  #isBarren(): boolean {
    const { trapVisits, trapNovelty } = this.#limits
    return this.#visits >= trapVisits * this.#patience && this.#novelty < trapNovelty
  }

  /** Times as much evidence as against a pattern that leads ever deeper. */
  get #patience(): number {
    const { deepLinks, wide } = this.#limits
    return this.#depth - (this.#firstDepth ?? 0) >= deepLinks ? 1 : wide
  }

  #isMaze(): boolean {
    const { mazeVisits, mazeNewLinks } = this.#limits
    if (this.#sinceOutside < mazeVisits || this.#newLinks < mazeNewLinks) return false
    return this.#named >= 2 * this.#visits
  }
}
