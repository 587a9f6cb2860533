import { HostIndex, type HostIndexMemory } from './host-index.ts'
import { hostKey } from './host-key.ts'
import { originOf, pathStart } from './origin.ts'
import { domainOfHostKey } from './registrable-domain.ts'
import {
  type PatternRules,
  type PatternVerdict,
  ScopePatterns,
  type UnmatchedPatterns,
} from './scope-patterns.ts'

/** The rules that decide which URLs belong to the crawl: plain data that can be sent to a thread. */
export interface ScopeRules extends PatternRules {
  readonly scope: 'page' | 'path' | 'host' | 'domain' | 'any'
  /** Canonical URLs of seeds. */
  readonly seeds: readonly string[]
  /** Host keys of seeds with `host`, their registrable domains with `domain`, or they themselves with `page`. */
  readonly members?: HostIndexMemory
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
  readonly #patterns: ScopePatterns
  readonly #members: HostIndex | undefined
  /** Members that were added by `widen`, each with its directories in scope. */
  readonly #widened = new Map<string, Set<string>>()
  #longestDirectory = 0
  /** The latest URL's origin with a slash. The next two fields are cached for it: consecutive links often share it. */
  #root = '-'
  #isRootMember = false
  #directories: ReadonlySet<string> | undefined

  /** @throws CrawlerError('usage') for an invalid regular expression */
  constructor(rules: ScopeRules) {
    this.#scope = rules.scope
    this.#patterns = new ScopePatterns(rules)
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
  whyNot(url: string): 'out-of-scope' | PatternVerdict | undefined {
    if (this.#scope !== 'any' && !this.#isMember(url)) return 'out-of-scope'
    return this.#patterns.whyNot(url)
  }

  /** Returns the first pattern of `exclude` or `excludePath` that matches a URL. */
  exclusionOf(url: string): string | undefined {
    return this.#patterns.exclusionOf(url)
  }

  /** Returns the patterns that have matched no URL inside the scope so far, in any thread. */
  get unmatched(): UnmatchedPatterns {
    return this.#patterns.unmatched
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
