import type { SavedSeeds } from '../state/ledger.ts'
import { hostKey } from '../url/host-key.ts'
import { originOf } from '../url/origin.ts'
import type { Seed } from '../url/seed.ts'
import type { WorkerSetup } from '../wire/messages.ts'
import { SeedHosts, type SeedHostsMemory } from '../wire/seed-hosts.ts'

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
  /** For workers. */
  readonly setup: Pick<WorkerSetup, 'authorizations' | 'seedHosts'>
  /** Seeds that were answered. */
  answered = 0
  readonly failures: SeedFailure[] = []
  /** The seeds, and where they redirect to. */
  readonly chain: Set<string>
  readonly #fallbacks = new Map<string, string>()
  readonly #tentative = new Set<string>()

  constructor(seeds: readonly Seed[]) {
    this.urls = seeds.map(({ url }) => url)
    this.chain = new Set(this.urls)
    this.setup = { authorizations: authorizationsOf(seeds), seedHosts: hostsOf(seeds) }
    for (const { url, fallback } of seeds) {
      if (fallback === undefined) continue
      this.#fallbacks.set(url, fallback)
      this.#tentative.add(originOf(url))
    }
  }

  get saved(): SavedSeeds {
    const { answered, failures, chain } = this
    return { answered, failures: [...failures], chain: [...chain] }
  }

  /** Takes over what earlier runs learned of the seeds. */
  restore({ answered, failures, chain }: SavedSeeds): void {
    this.answered = answered
    this.failures.push(...failures)
    for (const url of chain) this.chain.add(url)
  }

  /** The URL to try instead, if there is one; it is given once. */
  fallbackOf(url: string): string | undefined {
    const fallback = this.#fallbacks.get(url)
    this.#fallbacks.delete(url)
    return fallback
  }

  /** Whether a seed of the origin came with another URL to try. */
  isTentative(origin: string): boolean {
    return this.#tentative.has(origin)
  }

  /** Whether a seed, or what it redirects to, is of this origin. */
  isOrigin(origin: string): boolean {
    for (const url of this.chain) if (originOf(url) === origin) return true
    return false
  }

  fail(url: string, reason: string): void {
    if (this.failures.length < TOLD) this.failures.push({ url, reason })
  }
}

function authorizationsOf(seeds: readonly Seed[]): Record<string, string> {
  return Object.fromEntries(
    seeds.flatMap(({ url, authorization }) =>
      authorization === undefined ? [] : [[originOf(url), authorization]],
    ),
  )
}

/** With https a host's port 80 is another host key than with http. */
function hostsOf(seeds: readonly Seed[]): SeedHostsMemory {
  return SeedHosts.allocate(
    seeds.flatMap(({ url, fallback }) =>
      fallback === undefined ? [hostKey(url)] : [hostKey(url), hostKey(fallback)],
    ),
  )
}
