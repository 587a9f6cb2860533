import type { Config } from '../config/schema.ts'
import type { SeenName } from '../seen/seen-set.ts'
import { isRedisSeen } from './redis/seen-scheme.ts'

/** A config with a seen set that is this process's own. */
export type LocalConfig<T extends Config = Config> = Omit<T, 'seen'> & { readonly seen: SeenName }

/**
 * What of a config holds in this process. With `--frontier` the seen set here is one that loses nothing:
 * it keeps links that were met here before from being asked for over the network.
 */
export function localConfig<T extends Config>(config: T): LocalConfig<T> {
  const { frontier, seen } = config
  if (frontier.length > 0 || isRedisSeen(seen)) {
    return { ...config, seen: 'digest', digest: 'halfsiphash' }
  }
  return { ...config, seen }
}
