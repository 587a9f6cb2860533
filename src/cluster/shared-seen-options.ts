import type { Config } from '../config/schema.ts'
import { SHARED_SEEN_NAMES } from '../config/settings/seen-settings.ts'
import type { SeenName } from '../seen/seen-set.ts'

export type SharedSeenName = (typeof SHARED_SEEN_NAMES)[number]

/** Options of a shared seen set. */
export interface SharedSeenOptions {
  readonly name: SharedSeenName
  /** Expected number of URLs in all partitions together. */
  readonly expectedUrls: number
  readonly falsePositiveRate: number
  /** Milliseconds after which `redis-keys` forgets a URL. */
  readonly forgetAfter: number
}

export function isSharedSeen(name: string): name is SharedSeenName {
  return SHARED_SEEN_NAMES.some((each) => each === name)
}

/** A config whose seen set belongs to this process alone. */
export type LocalConfig<T extends Config = Config> = Omit<T, 'seen'> & { readonly seen: SeenName }

/** Maximum number of URLs that a process's own set is sized for at first. It meets a part of the job's URLs, and grows. */
const MAX_OWN_URLS = 10_000_000

/**
 * Returns the config for this process. In a job, its own seen set stores digests: links that this process has already
 * found are dropped without a call to the shared seen set.
 */
export function localConfig<T extends Config>(config: T): LocalConfig<T> {
  const { frontier, seen } = config
  if (frontier.length > 0 || isSharedSeen(seen)) {
    const expectedUrls = Math.min(config.expectedUrls, MAX_OWN_URLS)
    return { ...config, seen: 'digest', digest: 'halfsiphash', expectedUrls }
  }
  return { ...config, seen }
}
