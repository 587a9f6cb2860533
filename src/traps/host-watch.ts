import { PatternTree } from './pattern-tree.ts'
import type { PatternYield } from './pattern-yield.ts'
import type { TreeLimits } from './trap-limits.ts'

/**
 * One in this many pages with new content is counted, with this weight. While the host is watched closely, each page is
 * counted.
 */
const SAMPLED = 16
/** Number of visits for which a host is watched closely after one of its patterns was doubtful. */
const CLOSE_VISITS = 1_000

/** The patterns of one host, and how closely the host is watched. Hosts without traps cost very little. */
export class HostWatch {
  /** Name and port of the host. */
  readonly key: string
  readonly #limits: TreeLimits
  #tree: PatternTree | undefined
  #isSuspect = false
  #unsampled = 0
  #close = 0

  constructor(key: string, limits: TreeLimits) {
    this.key = key
    this.#limits = limits
  }

  /** The patterns of the host. The tree is created on first use: on most hosts, no page is ever counted. */
  get tree(): PatternTree {
    this.#tree ??= new PatternTree(this.#limits)
    return this.#tree
  }

  /** True if any page of the host was counted. */
  get hasTree(): boolean {
    return this.#tree !== undefined
  }

  /** Number of nodes in memory; 1 without a tree, since the host itself takes memory, too. */
  get size(): number {
    return this.#tree?.size ?? 1
  }

  /** True if any pattern of the host was ever deferred or dropped. */
  get isSuspect(): boolean {
    return this.#isSuspect
  }

  /** Returns the number of visits that the next visit stands for; 0 if it is not counted. */
  nextWeight(hasNewContent: boolean): number {
    if (this.#close > 0) {
      this.#close--
      return 1
    }
    if (!hasNewContent) return 1
    if (++this.#unsampled < SAMPLED) return 0
    this.#unsampled = 0
    return SAMPLED
  }

  /** Adjusts how closely the host is watched. Called after its patterns have changed. */
  review(patterns: readonly PatternYield[]): void {
    if (patterns.some(({ isDoubtful }) => isDoubtful)) this.#close = CLOSE_VISITS
    this.#isSuspect ||= patterns.some(({ verdict }) => verdict !== 'fetch')
  }
}
