import { normalizePathAndQuery } from './normalize-octets.ts'
import type { RobotsRules } from './parse.ts'
import { type Decision, RuleIndex } from './rule-index.ts'

// Rules come from another thread as plain data, so their index is built on first use.
const indexes = new WeakMap<RobotsRules, RuleIndex>()

const UNDECIDED: Decision = { rule: undefined, cost: 0 }

/**
 * Returns the rule that allows or disallows `url`, an absolute canonical http(s) URL (RFC 9309,
 * 2.2.2), and the cost of finding it. The rule is undefined if none matches, and for /robots.txt
 * itself. The URL is allowed then.
 */
export function decide(rules: RobotsRules, url: string): Decision {
  if (rules.rules.length === 0) return UNDECIDED
  const path = pathAndQuery(url)
  return path === '/robots.txt' ? UNDECIDED : indexOf(rules).decide(normalizePathAndQuery(path))
}

function indexOf(rules: RobotsRules): RuleIndex {
  const known = indexes.get(rules)
  if (known) return known
  const index = new RuleIndex(rules.rules)
  indexes.set(rules, index)
  return index
}

function pathAndQuery(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('//') + 2))
}
