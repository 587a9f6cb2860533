import { SHARED_SEEN_NAMES } from '../config/settings/seen-settings.ts'

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
