import type { RobotsRule } from './parse.ts'
import { compilePattern, matchesAfterHead, type Pattern } from './pattern.ts'

interface Entry {
  readonly rule: RobotsRule
  readonly pattern: Pattern
}

interface RankedEntry extends Entry {
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

// A hostile file can hold 35,000 rules with `*`, each of which is looked for in the whole path. So
// many octets are looked at for one path: 5,000 such rules and a path of 200 octets are decided yet.
const maxOctetsLookedAt = 1_000_000

/**
 * Rules by the literal with which they begin. The branches are sorted by head, so all heads that
 * a path begins with are among the last head that sorts before the path and its parents.
 */
export class RuleIndex {
  readonly #branches: readonly Branch[]

  constructor(rules: readonly RobotsRule[]) {
    this.#branches = linkBranches(rankEntries(rules))
  }

  /**
   * The rule that decides on a path in the form of `octetsToMatch`; undefined when none matches.
   * Past `maxOctetsLookedAt` a Disallow with `*` counts as matching and such an Allow as not.
   */
  find(path: string): RobotsRule | undefined {
    let best: RankedEntry | undefined
    let lookedAt = 0
    for (let branch = this.#lastBefore(path); branch; branch = branch.parent) {
      if (!path.startsWith(branch.head)) continue
      for (const entry of branch.entries) {
        if (best && best.rank < entry.rank) break
        if (entry.pattern.pieces.length > 0) lookedAt += path.length
        if (matches(entry, path, lookedAt)) {
          best = entry
          break
        }
      }
    }
    return best?.rule
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

function matches({ rule, pattern }: Entry, path: string, lookedAt: number): boolean {
  const tooMuch = lookedAt > maxOctetsLookedAt && pattern.pieces.length > 0
  return tooMuch ? !rule.allow : matchesAfterHead(pattern, path)
}

// The longest pattern wins, of equally long ones Allow (RFC 9309, 2.2.2), then the first.
function rankEntries(rules: readonly RobotsRule[]): RankedEntry[] {
  return rules
    .flatMap((rule) => compilePattern(rule.pattern).map((pattern): Entry => ({ rule, pattern })))
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
