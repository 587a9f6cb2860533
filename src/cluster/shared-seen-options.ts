import type { Config } from '../config/schema.ts'
import { SHARED_SEEN_NAMES } from '../config/settings/seen-settings.ts'
import type { SeenName } from '../seen/seen-set.ts'

export type SharedSeenName = (typeof SHARED_SEEN_NAMES)[number]

/** Options of a shared seen set. */
export interface SharedSeenOptions {
  readonly name: SharedSeenName
  /** URLs that all partitions together are expected to hold. */
  readonly expectedUrls: number
  readonly falsePositiveRate: number
  /** Milliseconds after which `redis-keys` forgets a URL. */
  readonly forgetAfter: number
}

export function isSharedSeen(name: string): name is SharedSeenName {
  return SHARED_SEEN_NAMES.some((each) => each === name)
}

/** A config with a seen set of this process's own. */
export type LocalConfig<T extends Config = Config> = Omit<T, 'seen'> & { readonly seen: SeenName }

/**
 * Returns the config for this process. In a job its own seen set is an exact one: it saves asking the shared one
 * for links that this process met before.
 */
export function localConfig<T extends Config>(config: T): LocalConfig<T> {
  const { frontier, seen } = config
  if (frontier.length > 0 || isSharedSeen(seen)) {
    return { ...config, seen: 'digest', digest: 'halfsiphash' }
  }
  return { ...config, seen }
}
