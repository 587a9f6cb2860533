import { originOf } from '../../url/origin.ts'
import { Scope, type ScopeRules } from '../../url/scope.ts'

/** The scope of the crawl as it stands: that of the config, and where the seeds themselves redirect. */
export class CrawlScope {
  readonly #rules: ScopeRules
  readonly #scope: Scope
  readonly #widened: string[] = []
  readonly #headerOrigins: readonly string[]
  /** Of the seeds, and of where they redirect. */
  readonly #origins: Set<string>

  constructor(rules: Omit<ScopeRules, 'seeds'>, seeds: readonly string[]) {
    const { scope, include, exclude } = rules
    this.#rules = { scope, include, exclude, seeds }
    this.#scope = new Scope(this.#rules)
    this.#origins = new Set(seeds.map(originOf))
    this.#headerOrigins = [...this.#origins]
  }

  /** For workers that start now. */
  get setup() {
    return {
      scope: this.#rules,
      widened: [...this.#widened],
      headerOrigins: this.#headerOrigins,
    }
  }

  /** How many hosts joined the scope. */
  get joined(): number {
    return this.#widened.length
  }

  /** Those after the first few, each by a URL of theirs, in the order in which they joined. */
  joinedAfter(first: number): readonly string[] {
    return this.#widened.slice(first)
  }

  contains(url: string): boolean {
    return this.#scope.contains(url)
  }

  /** Why a URL does not belong to the crawl; undefined when it does. */
  whyNot(url: string): ReturnType<Scope['whyNot']> {
    return this.#scope.whyNot(url)
  }

  /** Whether an origin has no part in the scope: of those, many that are linked to may be no more. */
  isForeign(origin: string): boolean {
    return !this.#origins.has(origin) && this.#scope.whyNot(`${origin}/`) === 'out-of-scope'
  }

  /** Takes in the host that a seed redirects to; false when an exclusion keeps the URL out even so. */
  widen(url: string): boolean {
    this.#scope.widen(url)
    if (!this.#scope.contains(url)) return false
    this.#widened.push(url)
    this.#origins.add(originOf(url))
    return true
  }
}
