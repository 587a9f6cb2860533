import { PatternTree } from './pattern-tree.ts'
import type { PatternYield } from './pattern-yield.ts'
import type { TreeLimits } from './trap-limits.ts'

/** Of fresh pages one in so many is looked at, while nothing is doubtful: it stands for the others. */
const SAMPLED = 16
/** Visits for which a host is watched closely after a pattern looked doubtful. */
const CLOSE_VISITS = 1_000

/** What is known of one host, and how closely it is watched: honest hosts cost next to nothing. */
export class HostWatch {
  readonly tree: PatternTree
  /** Whether any of its patterns was ever to wait or to be dropped. */
  isSuspect = false
  #unsampled = 0
  #close = 0

  constructor(limits: TreeLimits) {
    this.tree = new PatternTree(limits)
  }

  /** How many visits the next one is to stand for: 0 when it need not be looked at. */
  weigh(isFresh: boolean): number {
    if (this.#close > 0) {
      this.#close--
      return 1
    }
    if (!isFresh) return 1
    if (++this.#unsampled < SAMPLED) return 0
    this.#unsampled = 0
    return SAMPLED
  }

  /** Patterns of the host have learned something. */
  review(patterns: readonly PatternYield[]): void {
    if (patterns.some(({ isDoubtful }) => isDoubtful)) this.#close = CLOSE_VISITS
    this.isSuspect ||= patterns.some(({ verdict }) => verdict !== 'go')
  }
}
