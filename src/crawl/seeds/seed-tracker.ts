import { SeedHosts, type SeedHostsMemory } from '../../fetch/addresses/seed-hosts.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import { statusText } from '../../records/status-name.ts'
import type { Secret } from '../../secret.ts'
import type { SavedSeeds } from '../../state/ledger.ts'
import { hostAndPort } from '../../url/host-key.ts'
import { originOf } from '../../url/origin.ts'
import type { Seed } from '../../url/seed.ts'
import { isSitemapFile } from '../../url/sitemap-path.ts'
import type { SeedFailure } from '../stats/stats.ts'

/** Maximum number of failures, and of errors, to remember for the summary. */
export const MAX_REMEMBERED = 10

/** The seeds and their outcomes. */
export class SeedTracker {
  /** The canonical URLs of the seeds. */
  readonly urls: readonly string[]
  readonly #authorizations: ReadonlyMap<string, Secret>
  /** Findings on whether the hosts of seeds are at private addresses. */
  readonly hosts: SeedHosts
  readonly #hostsMemory: SeedHostsMemory
  #answered = 0
  readonly #statuses = new Map<number, number>()
  #failures: SeedFailure[] = []
  #errors: SeedFailure[] = []
  /** Seeds, and other URLs that count as seeds. */
  readonly #asSeeds: Set<string>
  /** Origins of URLs that count as seeds. True if at least one of these URLs has no name of a sitemap. */
  readonly #origins = new Map<string, boolean>()
  /** Origins whose sitemaps are held back, with `--deterministic`. */
  readonly heldSitemaps = new Set<string>()
  /** URLs that were added to `#asSeeds` after the crawl began. */
  readonly #added: string[] = []
  /** Fallbacks: URLs to try if a seed fails, by seed. */
  readonly #fallbacks = new Map<string, string>()
  /** Origins of seeds with a fallback. */
  readonly #originsWithFallback = new Set<string>()

  /** @param mayBePrivate true if the hosts of seeds may be at private addresses */
  constructor(seeds: readonly Seed[], mayBePrivate: boolean) {
    this.urls = seeds.map(({ url }) => url)
    this.#asSeeds = new Set(this.urls)
    for (const url of this.urls) this.#addOrigin(url)
    this.#authorizations = authorizationsOf(seeds)
    this.#hostsMemory = hostsOf(mayBePrivate ? seeds : [])
    this.hosts = new SeedHosts(this.#hostsMemory)
    for (const { url, fallback } of seeds) {
      if (fallback === undefined) continue
      this.#fallbacks.set(url, fallback)
      this.#originsWithFallback.add(originOf(url))
    }
  }

  /** Number of seeds that were fetched. */
  get answered(): number {
    return this.#answered
  }

  /** Some of the seeds that could not be fetched. */
  get failures(): readonly SeedFailure[] {
    return this.#failures
  }

  /** Some of the seeds with an unusable response, or a status of 4xx or 5xx; none if all got the same status. */
  get errors(): readonly SeedFailure[] {
    return this.refusal === undefined ? this.#errors : []
  }

  /** The seeds' part of the setup of a worker. */
  get setup(): Pick<WorkerSetup, 'authorizations' | 'seedHosts'> {
    const texts = [...this.#authorizations].map(([origin, value]) => [origin, value.reveal()])
    return { authorizations: Object.fromEntries(texts), seedHosts: this.#hostsMemory }
  }

  get saved(): SavedSeeds {
    const seeds = { answered: this.#answered, failures: this.#failures, joined: this.#added }
    return this.heldSitemaps.size === 0 ? seeds : { ...seeds, heldSitemaps: [...this.heldSitemaps] }
  }

  /** Restores what earlier runs learned about the seeds. */
  restore({ answered, failures, joined, heldSitemaps = [] }: SavedSeeds): void {
    this.#answered = answered
    this.#failures = [...failures]
    for (const url of joined) this.countAsSeed(url)
    for (const origin of heldSitemaps) this.heldSitemaps.add(origin)
  }

  /** Returns true if a URL counts as a seed. */
  has(url: string): boolean {
    return this.#asSeeds.has(url)
  }

  /** Makes a URL count as a seed: the target of a seed's redirect, or the fallback of a seed. */
  countAsSeed(url: string): void {
    if (this.#asSeeds.has(url)) return
    this.#asSeeds.add(url)
    this.#addOrigin(url)
    this.#added.push(url)
  }

  #addOrigin(url: string): void {
    const origin = originOf(url)
    if (this.#origins.get(origin) !== true) this.#origins.set(origin, !isSitemapFile(url))
  }

  /** Counts the status of a seed, or of the target of its redirects. */
  countStatus(url: string, status: number): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
    if (status >= 400) this.noteError(url, statusText(status))
  }

  /** Notes why the response to a seed, or to the target of its redirects, is an error. */
  noteError(url: string, reason: string): void {
    remember(this.#errors, url, reason)
  }

  /** The status of 4xx or 5xx that all seeds were answered with; undefined if a seed had another outcome. */
  get refusal(): number | undefined {
    const seeds = this.#asSeeds.size - this.#added.length
    // The statuses of an earlier run are not stored.
    const counted = [...this.#statuses.values()].reduce((sum, count) => sum + count, 0)
    if (counted < this.#answered) return undefined
    if (this.#failures.length > 0 || this.#answered < seeds) return undefined
    const [status = 0, ...others] = this.#statuses.keys()
    return others.length === 0 && status >= 400 ? status : undefined
  }

  /** Resets the counts, since the seeds are fetched again. */
  beginRound(): void {
    this.#answered = 0
    this.#failures = []
    this.#errors = []
    this.#statuses.clear()
  }

  /** Returns true if a URL is a seed with a fallback that was not taken. */
  mayFallBack(url: string): boolean {
    return this.#fallbacks.has(url)
  }

  /** Returns the fallback of a seed; undefined if there is none, or it was taken before. */
  takeFallback(url: string): string | undefined {
    const fallback = this.#fallbacks.get(url)
    this.#fallbacks.delete(url)
    return fallback
  }

  /** Returns true if a login was given with a seed of the URL's origin. */
  hasLogin(url: string): boolean {
    return this.#authorizations.has(originOf(url))
  }

  /** Returns true if a seed of the origin has a fallback. */
  hasFallback(origin: string): boolean {
    return this.#originsWithFallback.has(origin)
  }

  /** Returns true if a URL that counts as a seed has this origin. */
  hasOrigin(origin: string): boolean {
    return this.#origins.has(origin)
  }

  /**
   * Returns true if the sitemaps of an origin should be crawled: one of its seeds is not a sitemap. If all seeds are
   * sitemaps, the user has chosen among the sitemaps of the origin.
   */
  wantsSitemapsOf(origin: string): boolean {
    return this.#origins.get(origin) === true
  }

  /** Counts a seed that was answered. It needs no fallback any more. */
  countAnswered(url: string): void {
    this.#fallbacks.delete(url)
    this.#answered++
  }

  fail(url: string, reason: string): void {
    remember(this.#failures, url, reason)
  }
}

function remember(failures: SeedFailure[], url: string, reason: string): void {
  if (failures.length < MAX_REMEMBERED) failures.push({ url, reason })
}

function authorizationsOf(seeds: readonly Seed[]): ReadonlyMap<string, Secret> {
  return new Map(
    seeds.flatMap(({ url, authorization }): [string, Secret][] =>
      authorization === undefined ? [] : [[originOf(url), authorization]],
    ),
  )
}

/** Returns the hosts of the seeds with their ports: from a private address, only these may be fetched. */
function hostsOf(seeds: readonly Seed[]): SeedHostsMemory {
  return SeedHosts.allocate(
    seeds.flatMap(({ url, fallback }) =>
      fallback === undefined ? [hostAndPort(url)] : [hostAndPort(url), hostAndPort(fallback)],
    ),
  )
}
