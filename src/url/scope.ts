import { CrawlerError } from '../errors.ts'
import { BoundedPattern } from '../runtime/bounded-pattern.ts'
import { HostIndex, type HostIndexMemory } from './host-index.ts'
import { hostKey } from './host-key.ts'
import { originOf, pathStart } from './origin.ts'
import { PathGlob } from './path-glob.ts'
import { domainOfHostKey } from './registrable-domain.ts'

/** The rules that decide which URLs belong to the crawl: plain data that can be sent to a thread. */
export interface ScopeRules {
  readonly scope: 'page' | 'path' | 'host' | 'domain' | 'any'
  /** Canonical URLs of seeds. */
  readonly seeds: readonly string[]
  /** Host keys of seeds with `host`, their registrable domains with `domain`, or they themselves with `page`. */
  readonly members?: HostIndexMemory
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
type PatternRules = Pick<ScopeRules, PatternRule>

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

/** Returns the scope rules that follow from the seeds. A million seeds take little memory, except with `path`. */
export function scopeOfSeeds(
  scope: ScopeRules['scope'],
  seeds: readonly string[],
): Pick<ScopeRules, 'seeds' | 'members'> {
  if (scope === 'any') return { seeds: [] }
  if (scope === 'path') return { seeds: oneOfEachDirectory(seeds) }
  return { seeds: [], members: HostIndex.allocate(seeds.map((seed) => memberOf(scope, seed))) }
}

function oneOfEachDirectory(seeds: readonly string[]): string[] {
  const byPlace = new Map<string, string>()
  for (const seed of seeds) {
    const place = hostKey(seed) + directoryOf(seed)
    if (!byPlace.has(place)) byPlace.set(place, seed)
  }
  return [...byPlace.values()]
}

/** Decides whether a canonical URL belongs to the crawl. */
export class Scope {
  readonly #scope: ScopeRules['scope']
  readonly #patterns: Readonly<Record<PatternRule, readonly TrackedPattern[]>>
  /** The patterns of `exclude` and `excludePath`. */
  readonly #excluding: readonly TrackedPattern[]
  readonly #members: HostIndex | undefined
  /** Members that were added by `widen`, each with its directories in scope. */
  readonly #widened = new Map<string, Set<string>>()
  #longestDirectory = 0
  /** The latest URL's origin with a slash. The next two fields are cached for it: consecutive links often share it. */
  #root = '-'
  #isRootMember = false
  #directories: ReadonlySet<string> | undefined

  /** @throws {CrawlerError} `usage`, for an invalid regular expression. */
  constructor(rules: ScopeRules) {
    this.#scope = rules.scope
    this.#patterns = patternsOf(rules)
    this.#excluding = [...this.#patterns.exclude, ...this.#patterns.excludePath]
    this.#members = rules.members && new HostIndex(rules.members)
    for (const seed of rules.seeds) this.widen(seed)
  }

  /** @param url canonical */
  contains(url: string): boolean {
    return this.whyNot(url) === undefined
  }

  /**
   * Returns why a canonical URL does not belong to the crawl: it is outside the scope, the patterns exclude it, or
   * comparing it with a pattern took too long. Returns undefined if it belongs to the crawl.
   */
  whyNot(url: string): 'out-of-scope' | 'excluded' | 'slow-pattern' | undefined {
    if (this.#scope !== 'any' && !this.#isMember(url)) return 'out-of-scope'
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

  /** Returns the patterns that have matched no URL inside the scope so far, in any thread. */
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

  /**
   * Adds the host of a URL to the scope. With `page`, adds only the URL; with `path`, its directory; with `domain`, the
   * whole domain.
   */
  widen(url: string): void {
    const member = memberOf(this.#scope, url)
    const directory = directoryOf(url)
    const directories = this.#widened.get(member)
    if (directories === undefined) this.#widened.set(member, new Set([directory]))
    else directories.add(directory)
    this.#longestDirectory = Math.max(this.#longestDirectory, directory.length)
    this.#root = '-'
  }

  #isMember(url: string): boolean {
    if (this.#scope === 'page')
      return this.#widened.has(url) || this.#members?.find(url) !== undefined
    if (!url.startsWith(this.#root)) {
      this.#root = `${originOf(url)}/`
      const member = memberOf(this.#scope, url)
      this.#isRootMember = this.#members?.find(member) !== undefined
      this.#directories = this.#widened.get(member)
    }
    if (this.#isRootMember) return true
    if (this.#directories === undefined) return false
    return this.#scope !== 'path' || this.#isUnder(this.#directories, url)
  }

  /**
   * Looks up each directory above the URL. That is faster than comparing all seeds: there may be many of them, but a
   * URL has few directories above it.
   */
  #isUnder(directories: ReadonlySet<string>, url: string): boolean {
    const start = this.#root.length - 1
    const last = start + this.#longestDirectory
    for (let at = start; at !== -1 && at < last; at = url.indexOf('/', at + 1))
      if (directories.has(url.slice(start, at + 1))) return true
    return false
  }
}

function patternsOf(rules: PatternRules & Pick<ScopeRules, 'matched'>) {
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

function memberOf(scope: ScopeRules['scope'], url: string): string {
  if (scope === 'page') return url
  const key = hostKey(url)
  return scope === 'domain' ? domainOfHostKey(key) : key
}

function directoryOf(url: string): string {
  const path = url.slice(pathStart(url)).replace(/\?.*/, '')
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** Matches last segments of paths that seem to be directories, since they have no extension. */
const DIRECTORY_NAME = /^[^.]+$/

/** Returns whether a seed's scope is its whole host, although its path seems to be a directory, such as `/docs`. */
export function scopesWholeHost(seed: string): boolean {
  return directoryOf(seed) === '/' && DIRECTORY_NAME.test(new URL(seed).pathname.slice(1))
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
