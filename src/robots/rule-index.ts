import type { RobotsRule } from './parse.ts'
import { PathSearch } from './path-search.ts'
import { compilePattern, type Pattern } from './pattern.ts'

interface IndexedRule {
  readonly rule: RobotsRule
  readonly pattern: Pattern
}

interface RankedEntry extends IndexedRule {
  /** 0 for the rule that wins over all others. */
  readonly rank: number
}

/** The rules whose patterns begin with the same literal, best first. */
interface Branch {
  readonly head: string
  readonly entries: RankedEntry[]
  /** The branch with the longest head that this head begins with. */
  readonly parent: Branch | undefined
}

const PREPARATION = 200

/** Which rule decides on a path. */
export interface Decision {
  /** Undefined when none matches. */
  readonly rule: RobotsRule | undefined
  /** Comparisons that it took to find out, or as much work. */
  readonly cost: number
}

/**
 * Rules by the literal with which they begin. The branches are sorted by head, so all heads that
 * a path begins with are among the last head that sorts before the path and its parents.
 */
export class RuleIndex {
  readonly #branches: readonly Branch[]
  /** Comparisons that would have taken as long as making the index. */
  #preparation: number
  /** The path that was asked about last: a host asks again until it may fetch the URL. */
  #path: string | undefined
  #decision: Decision = { rule: undefined, cost: 0 }

  constructor(rules: readonly RobotsRule[]) {
    this.#branches = linkBranches(rankEntries(rules))
    this.#preparation = PREPARATION * rules.length
  }

  /**
   * Decides on a path in the form of `octetsToMatch`. Once too much was looked for, a Disallow with
   * `*` counts as matching and such an Allow as not.
   */
  decide(path: string): Decision {
    if (path !== this.#path) {
      this.#decision = this.#search(path)
      this.#path = path
    }
    return this.#decision
  }

  #search(path: string): Decision {
    const search = new PathSearch(path)
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
    const cost = this.#preparation + search.cost
    this.#preparation = 0
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

function matches({ rule, pattern }: IndexedRule, search: PathSearch): boolean {
  const isMatch = search.matches(pattern)
  return search.isExhausted && pattern.tail !== undefined ? !rule.allow : isMatch
}

// The longest pattern wins, of equally long ones Allow (RFC 9309, 2.2.2), then the first.
function rankEntries(rules: readonly RobotsRule[]): RankedEntry[] {
  return rules
    .flatMap((rule) =>
      compilePattern(rule.pattern).map((pattern): IndexedRule => ({ rule, pattern })),
    )
    .sort(
      (a, b) => b.pattern.octets - a.pattern.octets || Number(b.rule.allow) - Number(a.rule.allow),
    )
    .map((entry, rank) => ({ ...entry, rank }))
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
