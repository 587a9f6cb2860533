import type { Seed } from '../url/seed.ts'

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
  /** Seeds that were answered. */
  answered = 0
  readonly failures: SeedFailure[] = []
  readonly #fallbacks = new Map<string, string>()

  constructor(seeds: readonly Seed[]) {
    this.urls = seeds.map(({ url }) => url)
    for (const { url, fallback } of seeds) {
      if (fallback !== undefined) this.#fallbacks.set(url, fallback)
    }
  }

  /** The URL to try instead, if there is one; it is given once. */
  fallbackOf(url: string): string | undefined {
    const fallback = this.#fallbacks.get(url)
    this.#fallbacks.delete(url)
    return fallback
  }

  fail(url: string, reason: string): void {
    if (this.failures.length < TOLD) this.failures.push({ url, reason })
  }
}
