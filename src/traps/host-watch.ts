import { PatternTree } from './pattern-tree.ts'
import type { PatternYield } from './pattern-yield.ts'
import type { TreeLimits } from './trap-limits.ts'

/** Of pages with new content one in so many is counted, for all of them, while no pattern is doubtful. */
const SAMPLED = 16
/** Visits for which a host is watched closely after a pattern looked doubtful. */
const CLOSE_VISITS = 1_000

/** The patterns of one host, and how closely it is watched: honest hosts cost next to nothing. */
export class HostWatch {
  readonly #limits: TreeLimits
  #tree: PatternTree | undefined
  #isSuspect = false
  #unsampled = 0
  #close = 0

  constructor(limits: TreeLimits) {
    this.#limits = limits
  }

  /** Its patterns. The tree is made on first use: most hosts have too few pages for one that is counted. */
  get tree(): PatternTree {
    this.#tree ??= new PatternTree(this.#limits)
    return this.#tree
  }

  /** True when any of its pages was counted. */
  get hasTree(): boolean {
    return this.#tree !== undefined
  }

  /** Nodes that it counts for: one without a tree, since it takes memory as well. */
  get size(): number {
    return this.#tree?.size ?? 1
  }

  /** True when any of its patterns was ever deferred or dropped. */
  get isSuspect(): boolean {
    return this.#isSuspect
  }

  /** Returns how many visits the next one stands for; 0 when it is not counted. */
  weigh(hasNewContent: boolean): number {
    if (this.#close > 0) {
      this.#close--
      return 1
    }
    if (!hasNewContent) return 1
    if (++this.#unsampled < SAMPLED) return 0
    this.#unsampled = 0
    return SAMPLED
  }

  /** Adjusts how closely the host is watched, after its patterns have changed. */
  review(patterns: readonly PatternYield[]): void {
    if (patterns.some(({ isDoubtful }) => isDoubtful)) this.#close = CLOSE_VISITS
    this.#isSuspect ||= patterns.some(({ verdict }) => verdict !== 'go')
  }
}
