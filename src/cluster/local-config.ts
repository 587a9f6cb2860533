import type { Config } from '../config/schema.ts'
import type { SeenName } from '../seen/seen-set.ts'
import { isSharedSeen } from './shared-seen-options.ts'

/** Maximum number of URLs that a process's own set is sized for at first. It meets a part of the job's URLs, and grows. */
const MAX_OWN_URLS = 10_000_000

/**
 * Returns the config for this process, whose seen set is its own. In a job, that set stores digests: links that this
 * process has already found are dropped without a call to the shared seen set.
 */
export function localConfig<T extends Config>(
  config: T,
): Omit<T, 'seen'> & { readonly seen: SeenName } {
  const { frontier, seen } = config
  if (frontier.length === 0 && !isSharedSeen(seen)) return { ...config, seen }
  const expectedUrls = Math.min(config.expectedUrls, MAX_OWN_URLS)
  return { ...config, seen: 'digest', digest: 'halfsiphash', expectedUrls }
}
