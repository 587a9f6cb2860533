import { originOf } from '../../url/origin.ts'
import { Scope, type ScopeRules, scopeOfSeeds } from '../../url/scope.ts'
import { countPatterns } from '../../url/scope-patterns.ts'

/** The scope of the crawl: that of the config, and the hosts to which seeds redirect. */
export class CrawlScope {
  readonly #rules: ScopeRules
  readonly #scope: Scope
  readonly #widened: string[] = []
  readonly #headerOrigins: ReadonlySet<string>
  /** Origins of the seeds, and of the targets of their redirects. */
  readonly #origins: Set<string>

  constructor(rules: Omit<ScopeRules, 'seeds' | 'matched'>, seeds: readonly string[]) {
    const { scope, include, exclude, includePath = [], excludePath = [] } = rules
    // Each worker gets a copy of the rules, so they must not contain the rest of the config.
    const patterns = { include, exclude, includePath, excludePath }
    const matched = new SharedArrayBuffer(countPatterns(patterns))
    this.#rules = { scope, ...patterns, ...scopeOfSeeds(scope, seeds), matched }
    this.#scope = new Scope(this.#rules)
    this.#origins = new Set(seeds.map(originOf))
    this.#headerOrigins = new Set(this.#origins)
  }

  /** The scope's part of the setup of a worker. */
  get setup() {
    return {
      scope: this.#rules,
      widened: [...this.#widened],
      headerOrigins: [...this.#headerOrigins],
    }
  }

  /** Number of hosts that joined the scope. */
  get joined(): number {
    return this.#widened.length
  }

  /** Returns a URL of each host that joined the scope, in order, without the first `first` ones. */
  joinedAfter(first: number): readonly string[] {
    return this.#widened.slice(first)
  }

  /** Patterns that have matched no URL so far. */
  get unmatched(): Scope['unmatched'] {
    return this.#scope.unmatched
  }

  /** Returns whether an origin gets the headers of the user: only those of the seeds do. */
  getsHeaders(origin: string): boolean {
    return this.#headerOrigins.has(origin)
  }

  contains(url: string): boolean {
    return this.#scope.contains(url)
  }

  /** Returns whether a pattern excludes a canonical URL, be it in the scope or not. */
  excludes(url: string): boolean {
    return this.#scope.exclusionOf(url) !== undefined
  }

  /** Returns why a URL is not in the scope; undefined when it is. */
  whyNot(url: string): ReturnType<Scope['whyNot']> {
    return this.#scope.whyNot(url)
  }

  /** Returns true if an origin is outside the scope. The crawl doesn't wait for these: many may no longer exist. */
  isForeign(origin: string): boolean {
    return !this.#origins.has(origin) && this.#scope.whyNot(`${origin}/`) === 'out-of-scope'
  }

  /** Adds the host of a URL that counts as a seed. Returns true if the host was outside the scope, and is in it now. */
  admit(url: string): boolean {
    return this.#scope.whyNot(url) === 'out-of-scope' && this.widen(url)
  }

  /** Adds the host to which a seed redirects. Returns false if another rule excludes the URL. */
  widen(url: string): boolean {
    this.#scope.widen(url)
    if (!this.#scope.contains(url)) return false
    this.#widened.push(url)
    this.#origins.add(originOf(url))
    return true
  }
}
