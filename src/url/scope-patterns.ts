import { CrawlerError } from '../errors.ts'
import { BoundedPattern } from '../runtime/bounded-pattern.ts'
import { PathGlob } from './path-glob.ts'

/** The patterns that include and exclude URLs: plain data that can be sent to a thread. */
export interface PatternRules {
  /** Sources of regular expressions. If there are any, a URL must match one. */
  readonly include: readonly string[]
  /** Sources of regular expressions. A URL must not match any. */
  readonly exclude: readonly string[]
  /** Patterns for `PathGlob`. If there are any, a URL must match one. */
  readonly includePath?: readonly string[]
  /** Patterns for `PathGlob`. A URL must not match any. */
  readonly excludePath?: readonly string[]
  /** One byte for each pattern that `countPatterns` counts: 1 if the pattern has matched a URL in any thread. */
  readonly matched?: SharedArrayBuffer
}

/** The rules that are lists of patterns. */
const PATTERN_RULES = ['include', 'exclude', 'includePath', 'excludePath'] as const
type PatternRule = (typeof PATTERN_RULES)[number]

/** Patterns that have matched no URL, by their rule. */
export type UnmatchedPatterns = Readonly<Record<PatternRule, readonly string[]>>

/** Returns the number of patterns of all kinds. */
export function countPatterns(rules: PatternRules): number {
  return PATTERN_RULES.reduce((sum, rule) => sum + (rules[rule]?.length ?? 0), 0)
}

/** A pattern that records in shared memory whether it has matched a URL. */
class TrackedPattern {
  readonly source: string
  readonly #pattern: BoundedPattern | PathGlob
  readonly #matched: Uint8Array
  readonly #at: number

  constructor(source: string, pattern: BoundedPattern | PathGlob, matched: Uint8Array, at: number) {
    this.source = source
    this.#pattern = pattern
    this.#matched = matched
    this.#at = at
  }

  get hasMatched(): boolean {
    return this.#matched[this.#at] === 1
  }

  /** Returns whether a URL matches; undefined if that would take too long. */
  test(url: string): boolean | undefined {
    const isMatch = this.#pattern.test(url)
    if (isMatch === true) this.#matched[this.#at] = 1
    return isMatch
  }
}

/** The reason why the patterns exclude a URL: comparing it with one may have taken too long. */
export type PatternVerdict = 'excluded' | 'slow-pattern'

/** Decides by its patterns whether a canonical URL belongs to the crawl. */
export class ScopePatterns {
  readonly #patterns: Readonly<Record<PatternRule, readonly TrackedPattern[]>>
  /** The patterns of `exclude` and `excludePath`. */
  readonly #excluding: readonly TrackedPattern[]

  /** @throws CrawlerError('usage') for an invalid regular expression */
  constructor(rules: PatternRules) {
    this.#patterns = patternsOf(rules)
    this.#excluding = [...this.#patterns.exclude, ...this.#patterns.excludePath]
  }

  /** Returns why the patterns exclude a URL; undefined if they don't. */
  whyNot(url: string): PatternVerdict | undefined {
    const { include, includePath } = this.#patterns
    const isExcluded = matchesAny(this.#excluding, url)
    if (isExcluded === true) {
      noteOthers(include, url)
      noteOthers(includePath, url)
      return 'excluded'
    }
    const isBelow = includePath.length === 0 || matchesAny(includePath, url)
    const isIncluded = include.length === 0 || matchesAny(include, url)
    if (isIncluded === false || isBelow === false) return 'excluded'
    return isExcluded === undefined || isIncluded === undefined ? 'slow-pattern' : undefined
  }

  /** Returns the first pattern of `exclude` or `excludePath` that matches a URL. */
  exclusionOf(url: string): string | undefined {
    return this.#excluding.find((pattern) => pattern.test(url) === true)?.source
  }

  /** The patterns that have matched no URL so far, in any thread. */
  get unmatched(): UnmatchedPatterns {
    const sources = (rule: PatternRule) =>
      this.#patterns[rule].filter(({ hasMatched }) => !hasMatched).map(({ source }) => source)
    return {
      include: sources('include'),
      exclude: sources('exclude'),
      includePath: sources('includePath'),
      excludePath: sources('excludePath'),
    }
  }
}

function patternsOf(rules: PatternRules) {
  const matched = new Uint8Array(rules.matched ?? new ArrayBuffer(countPatterns(rules)))
  let at = 0
  const tracked = (source: string, pattern: BoundedPattern | PathGlob) =>
    new TrackedPattern(source, pattern, matched, at++)
  const { include, exclude, includePath = [], excludePath = [] } = rules
  return {
    include: include.map((source) => tracked(source, compile(source))),
    exclude: exclude.map((source) => tracked(source, compile(source))),
    includePath: includePath.map((path) => tracked(path, new PathGlob(path))),
    excludePath: excludePath.map((path) => tracked(path, new PathGlob(path))),
  }
}

/** Returns whether a URL matches a pattern; undefined if none matches but comparing one took too long. */
function matchesAny(patterns: readonly TrackedPattern[], url: string): boolean | undefined {
  let isSlow = false
  for (const pattern of patterns) {
    const isMatch = pattern.test(url)
    if (isMatch === true) {
      noteOthers(patterns, url)
      return true
    }
    isSlow ||= isMatch === undefined
  }
  return isSlow ? undefined : false
}

/** Compares a URL, whose result is already decided, with the patterns that have not matched any URL so far. */
function noteOthers(patterns: readonly TrackedPattern[], url: string): void {
  for (const pattern of patterns) if (!pattern.hasMatched) pattern.test(url)
}

function compile(source: string): BoundedPattern {
  try {
    return new BoundedPattern(source)
  } catch (cause) {
    throw new CrawlerError('usage', `expected a regular expression, got \`${source}\``, { cause })
  }
}
