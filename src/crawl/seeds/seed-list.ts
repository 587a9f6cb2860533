import { SeedHosts, type SeedHostsMemory } from '../../fetch/addresses/seed-hosts.ts'
import type { Logger } from '../../logger.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { Secret } from '../../secret.ts'
import type { SavedSeeds } from '../../state/ledger.ts'
import { hostAndPort } from '../../url/host-key.ts'
import { originOf } from '../../url/origin.ts'
import type { Seed } from '../../url/seed.ts'

/** Why a seed could not be fetched. */
export interface SeedFailure {
  readonly url: string
  readonly reason: string
}

/** Failures that are remembered to be told at the end. */
const TOLD = 10

/** What became of the seeds. */
export class SeedList {
  /** Canonical. */
  readonly urls: readonly string[]
  readonly #authorizations: ReadonlyMap<string, Secret>
  /** Which seeds are private. */
  readonly hosts: SeedHosts
  readonly #hosts: SeedHostsMemory
  /** Seeds that were answered. */
  answered = 0
  readonly failures: SeedFailure[] = []
  readonly #chain: Set<string>
  readonly #origins: Set<string>
  /** What joined the seeds in the chain. */
  readonly #joined: string[] = []
  readonly #fallbacks = new Map<string, string>()
  readonly #tentative = new Set<string>()
  #hasToldSitemap = false

  constructor(seeds: readonly Seed[]) {
    this.urls = seeds.map(({ url }) => url)
    this.#chain = new Set(this.urls)
    this.#origins = new Set(this.urls.map(originOf))
    this.#authorizations = authorizationsOf(seeds)
    this.#hosts = hostsOf(seeds)
    this.hosts = new SeedHosts(this.#hosts)
    for (const { url, fallback } of seeds) {
      if (fallback === undefined) continue
      this.#fallbacks.set(url, fallback)
      this.#tentative.add(originOf(url))
    }
  }

  /** For workers. */
  get setup(): Pick<WorkerSetup, 'authorizations' | 'seedHosts'> {
    const texts = [...this.#authorizations].map(([origin, value]) => [origin, value.reveal()])
    return { authorizations: Object.fromEntries(texts), seedHosts: this.#hosts }
  }

  get saved(): SavedSeeds {
    return { answered: this.answered, failures: this.failures, joined: this.#joined }
  }

  /** Takes over what earlier runs learned of the seeds. */
  restore({ answered, failures, joined }: SavedSeeds): void {
    this.answered = answered
    this.failures.push(...failures)
    for (const url of joined) this.addToChain(url)
  }

  /** Whether a URL is a seed, or what one redirects to. */
  has(url: string): boolean {
    return this.#chain.has(url)
  }

  /** Where a seed redirects to, or what is tried in its place, counts as a seed. */
  addToChain(url: string): void {
    if (this.#chain.has(url)) return
    this.#chain.add(url)
    this.#origins.add(originOf(url))
    this.#joined.push(url)
  }

  /** The seeds are asked again. */
  beginRound(): void {
    this.answered = 0
    this.failures.length = 0
  }

  /** The URL to try instead, if there is one; it is given once. */
  fallbackOf(url: string): string | undefined {
    const fallback = this.#fallbacks.get(url)
    this.#fallbacks.delete(url)
    return fallback
  }

  /** Whether a seed of the origin came with another URL to try. */
  hasFallback(origin: string): boolean {
    return this.#tentative.has(origin)
  }

  /** Whether a seed, or what it redirects to, is of this origin. */
  hasOrigin(origin: string): boolean {
    return this.#origins.has(origin)
  }

  /** Tells once that a seed lists URLs that nobody asked for: it looks like a crawl that found nothing. */
  warnOfSitemap(url: string, logger: Logger): void {
    if (this.#hasToldSitemap) return
    this.#hasToldSitemap = true
    logger.warn({ url }, `${url} is a sitemap: --sitemaps crawls what it lists, too`)
  }

  fail(url: string, reason: string): void {
    if (this.failures.length < TOLD) this.failures.push({ url, reason })
  }
}

function authorizationsOf(seeds: readonly Seed[]): ReadonlyMap<string, Secret> {
  return new Map(
    seeds.flatMap(({ url, authorization }): [string, Secret][] =>
      authorization === undefined ? [] : [[originOf(url), authorization]],
    ),
  )
}

/** A seed that is at a private address opens its own port. */
function hostsOf(seeds: readonly Seed[]): SeedHostsMemory {
  return SeedHosts.allocate(
    seeds.flatMap(({ url, fallback }) =>
      fallback === undefined ? [hostAndPort(url)] : [hostAndPort(url), hostAndPort(fallback)],
    ),
  )
}
