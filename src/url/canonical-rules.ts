import { indexOrEnd } from './index-or-end.ts'
import { lowercasePath, stripIndex, stripPathSession, stripTrailingSlash } from './path-rules.ts'
import { sortQuery, stripParameters, stripQuerySession, stripTracking } from './query-rules.ts'
import { stripWww } from './strip-www.ts'

/**
 * Names of the rules that may merge URLs of different pages, in the order of application. None is on by default: they
 * are for users who know the site.
 */
export const CANONICAL_RULES = [
  'strip-www',
  'strip-session',
  'lowercase-path',
  'strip-trailing-slash',
  'strip-index',
  'strip-tracking',
  'sort-query',
] as const

export type CanonicalRule = (typeof CANONICAL_RULES)[number]

/** The query parameters to drop from URLs, by name: none, some or all. */
export type StripQuery = boolean | readonly string[]

/** Names of all rules that may change a URL, in the order of application. `strip-query` stands for `--strip-query`. */
export const REWRITE_RULES = ['strip-query', ...CANONICAL_RULES] as const

export type RewriteRule = (typeof REWRITE_RULES)[number]

type Rewrite = (part: string) => string

/**
 * The changes that a rule makes to `http://host:port`, to the path, and to the query without its `?`.
 */
interface RuleRewrites {
  readonly origin?: Rewrite
  readonly path?: Rewrite
  /**
   * Applied after the rules for the whole path, until nothing changes: removing a slash may reveal an index file, and
   * vice versa.
   */
  readonly pathEnd?: Rewrite
  readonly query?: Rewrite
}

const REWRITES: Readonly<Record<CanonicalRule, RuleRewrites>> = {
  'strip-www': { origin: stripWww },
  'strip-session': { path: stripPathSession, query: stripQuerySession },
  'lowercase-path': { path: lowercasePath },
  'strip-trailing-slash': { pathEnd: stripTrailingSlash },
  'strip-index': { pathEnd: stripIndex },
  'strip-tracking': { query: stripTracking },
  'sort-query': { query: sortQuery },
}

type RewriteStep = readonly [rule: RewriteRule, rewrite: Rewrite]

const NONE: readonly RewriteRule[] = []

/**
 * Applies lossy rules to canonical URLs. The result is canonical, and applying the rules again
 * leaves it unchanged.
 */
export class CanonicalRules {
  readonly #origin: readonly RewriteStep[]
  readonly #path: readonly RewriteStep[]
  readonly #pathEnd: readonly RewriteStep[]
  readonly #query: readonly RewriteStep[]
  readonly #dropsQuery: boolean

  /** @param names in any order; CANONICAL_RULES sets the order of application */
  constructor(names: readonly CanonicalRule[], stripQuery: StripQuery = false) {
    const rules = CANONICAL_RULES.filter((rule) => names.includes(rule))
    this.#dropsQuery = stripQuery === true
    this.#origin = stepsFor('origin', rules)
    this.#path = stepsFor('path', rules)
    this.#pathEnd = stepsFor('pathEnd', rules)
    this.#query = [...stripQuerySteps(stripQuery), ...stepsFor('query', rules)]
  }

  /** @param url canonical */
  apply(url: string): string {
    return this.explain(url).url
  }

  /** Like `apply`, but also returns the rules that changed the URL. */
  explain(url: string): { readonly url: string; readonly changedBy: readonly RewriteRule[] } {
    const pathStart = indexOrEnd(url, '/', url.indexOf('//') + 2)
    const pathEnd = indexOrEnd(url, '?', pathStart)
    const changing: RewriteRule[] = []
    const origin = rewrite(url.slice(0, pathStart), this.#origin, changing)
    const wholePath = rewrite(url.slice(pathStart, pathEnd), this.#path, changing)
    const path = repeatRewrite(wholePath, this.#pathEnd, changing)
    if (this.#dropsQuery && pathEnd < url.length) {
      return { url: origin + path, changedBy: inOrder(['strip-query', ...changing]) }
    }
    const query = url.slice(pathEnd + 1)
    const kept = query === '' ? query : rewrite(query, this.#query, changing)
    if (changing.length === 0) return { url, changedBy: NONE }
    // If the query was empty before, its `?` stays. If the rules made it empty, the `?` is dropped.
    const tail = kept === query ? url.slice(pathEnd) : kept === '' ? '' : `?${kept}`
    return { url: origin + path + tail, changedBy: inOrder(changing) }
  }
}

function inOrder(rules: readonly RewriteRule[]): RewriteRule[] {
  return REWRITE_RULES.filter((rule) => rules.includes(rule))
}

function stripQuerySteps(names: StripQuery): RewriteStep[] {
  return typeof names === 'boolean' ? [] : [['strip-query', stripParameters(names)]]
}

function stepsFor(part: keyof RuleRewrites, rules: readonly CanonicalRule[]): RewriteStep[] {
  return rules.flatMap((rule) => {
    const rewrite = REWRITES[rule][part]
    return rewrite === undefined ? [] : [[rule, rewrite] as const]
  })
}

function rewrite(part: string, steps: readonly RewriteStep[], changing: RewriteRule[]): string {
  let rewritten = part
  for (const [rule, change] of steps) {
    const next = change(rewritten)
    if (next === rewritten) continue
    rewritten = next
    if (!changing.includes(rule)) changing.push(rule)
  }
  return rewritten
}

/** Applies the steps until nothing changes. */
function repeatRewrite(
  path: string,
  steps: readonly RewriteStep[],
  changing: RewriteRule[],
): string {
  let settled = path
  let before: string
  do {
    before = settled
    settled = rewrite(before, steps, changing)
  } while (settled !== before)
  return settled
}
