import type { Pattern } from './pattern.ts'
import { Trigrams } from './trigrams.ts'

/**
 * Maximum octet comparisons for one path and all patterns, which take a millisecond or two. A
 * hostile file of 500 KiB could cost billions. A file with 2,000 rules for the parameters of a shop
 * costs a tenth of the limit, for a URL of 2,000 octets.
 */
const MAX_COMPARISONS = 500_000
/** Number of patterns with `*` that cost less to compare than the trigrams of the path cost to collect. */
const FEW_PATTERNS = 8
const STAR = 0x2a

/** Compares one path with patterns, within a total budget for all of them. */
export class PatternMatcher {
  readonly path: string
  #octets: Uint8Array | undefined
  #trigrams: Trigrams | undefined
  #patterns = 0
  #remaining = MAX_COMPARISONS

  constructor(path: string) {
    this.path = path
  }

  /** Number of comparisons so far. */
  get cost(): number {
    return MAX_COMPARISONS - this.#remaining
  }

  /** True if the budget is used up. Results of `matches` are meaningless from then on. */
  get isExhausted(): boolean {
    return this.#remaining < 0
  }

  /** Returns whether the whole path, which begins with the pattern's head, matches. */
  matches({ head, tail, trigrams, anchored }: Pattern): boolean {
    this.#remaining--
    if (tail === undefined) return !anchored || this.path.length === head.length
    if (++this.#patterns > FEW_PATTERNS) {
      this.#trigrams ??= new Trigrams(this.path)
      if (!this.#trigrams.hasBoth(trigrams)) return false
    }
    this.#octets ??= Buffer.from(this.path, 'latin1')
    return this.#find(tail, anchored, this.#octets, head.length)
  }

  /**
   * Returns whether the literals of a tail occur in the path in their order, from `from` on. Each is
   * matched at its leftmost place, which is always a right choice, so backtracking never goes beyond
   * the last `*`.
   */
  #find(tail: string, anchored: boolean, path: Uint8Array, from: number): boolean {
    let left = this.#remaining
    let next = 0
    let at = from
    /** Start of the current literal in the tail, and the place in the path where it is tried. */
    let literal = 0
    let start = from
    let isFound = false
    for (; left >= 0; left--) {
      if (next === tail.length) {
        isFound = !anchored || at === path.length
        if (isFound) break
      } else if (tail.charCodeAt(next) === STAR) {
        literal = ++next
        start = at
        continue
      } else if (at === path.length) break
      else if (path[at] === tail.charCodeAt(next)) {
        next++
        at++
        continue
      }
      next = literal
      at = ++start
    }
    this.#remaining = left
    return isFound
  }
}
