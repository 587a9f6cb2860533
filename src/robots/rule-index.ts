import type { RobotsRule } from './parse.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import { PatternMatcher } from './pattern-matcher.ts'

interface RankedEntry {
  readonly rule: RobotsRule
  readonly pattern: Pattern
  /** 0 for the rule that wins over all others. */
  rank: number
}

/** Rules whose patterns begin with the same literal, best first. */
interface Branch {
  readonly head: string
  readonly entries: RankedEntry[]
  /** The branch with the longest head that is a prefix of this head. */
  readonly parent: Branch | undefined
}

const BUILD_COST_PER_RULE = 200

/** The rule that decides on a path. */
export interface Decision {
  /** The rule that wins; undefined if none matches. */
  readonly rule: RobotsRule | undefined
  /** Number of comparisons to find the rule, or equivalent work. */
  readonly cost: number
}

/**
 * Indexes rules by their leading literal. Branches are sorted by head, so every head that is a
 * prefix of a path is found from the last head that sorts before the path, through its parents.
 */
export class RuleIndex {
  readonly #branches: readonly Branch[]
  /** Cost of building the index, in comparisons; charged to the first decision. */
  #buildCost: number
  /** The latest path, remembered since a URL is checked repeatedly until it may be fetched. */
  #path: string | undefined
  #decision: Decision = { rule: undefined, cost: 0 }

  constructor(rules: readonly RobotsRule[]) {
    this.#branches = linkBranches(rankEntries(rules))
    this.#buildCost = BUILD_COST_PER_RULE * rules.length
  }

  /**
   * Decides on a path that `normalizePathAndQuery` returned. When the budget is used up, a Disallow
   * with `*` counts as matching, and an Allow with `*` as not matching.
   */
  decide(path: string): Decision {
    if (path !== this.#path) {
      this.#decision = this.#search(path)
      this.#path = path
    }
    return this.#decision
  }

  #search(path: string): Decision {
    const search = new PatternMatcher(path)
    let best: RankedEntry | undefined
    for (let branch = this.#lastBefore(path); branch; branch = branch.parent) {
      if (!path.startsWith(branch.head)) continue
      for (const entry of branch.entries) {
        if (best && best.rank < entry.rank) break
        if (matches(entry, search)) {
          best = entry
          break
        }
      }
    }
    const cost = this.#buildCost + search.cost
    this.#buildCost = 0
    return { rule: best?.rule, cost }
  }

  #lastBefore(path: string): Branch | undefined {
    let low = 0
    let high = this.#branches.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#branches[middle]?.head ?? '') <= path) low = middle + 1
      else high = middle
    }
    return this.#branches[low - 1]
  }
}

function matches({ rule, pattern }: RankedEntry, search: PatternMatcher): boolean {
  const isMatch = search.matches(pattern)
  return search.isExhausted && pattern.tail !== undefined ? !rule.allow : isMatch
}

// The longest pattern wins. Of equally long ones, an Allow wins (RFC 9309, 2.2.2), then the first.
function rankEntries(rules: readonly RobotsRule[]): readonly RankedEntry[] {
  const entries = rules.flatMap((rule) =>
    // The rank is set from the start, since V8 stores fields that are added later in a further array per entry.
    compilePattern(rule.pattern).map((pattern): RankedEntry => ({ rule, pattern, rank: 0 })),
  )
  entries.sort(
    (a, b) => b.pattern.octets - a.pattern.octets || Number(b.rule.allow) - Number(a.rule.allow),
  )
  for (const [rank, entry] of entries.entries()) entry.rank = rank
  return entries
}

function linkBranches(entries: readonly RankedEntry[]): Branch[] {
  const byHead = Map.groupBy(entries, ({ pattern }) => pattern.head)
  const branches: Branch[] = []
  let parent: Branch | undefined
  for (const head of [...byHead.keys()].sort()) {
    while (parent && !head.startsWith(parent.head)) parent = parent.parent
    parent = { head, entries: byHead.get(head) ?? [], parent }
    branches.push(parent)
  }
  return branches
}
