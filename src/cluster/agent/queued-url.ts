import {
  absentOr,
  count,
  httpUrl,
  list,
  oneOf,
  record,
  stored,
  storedJson,
  unknown,
} from '../../database/stored-value.ts'
import { DamageError } from '../../errors.ts'
import { HOPS, type Hop } from '../../records/crawl-url.ts'
import { hostKey } from '../../url/host-key.ts'

/** What goes with a URL through a queue that many processes share, beside its depth. */
export interface QueuedUrl {
  readonly url: string
  readonly sidesteps: number
  readonly redirects: number
  readonly hop: Hop
  /** The page that named it. */
  readonly via?: string | undefined
  /** Whether it is a seed, or where one redirects. */
  readonly isSeed: boolean
}

/** URL, sidesteps, redirects, hop, whether it is a seed, and the page that named it. */
const rowForm = list(unknown)
const foundForm = record({
  url: httpUrl,
  sidesteps: count,
  redirects: count,
  hop: oneOf(HOPS, 'a hop'),
  isSeed: oneOf([0, 1], '0 or 1'),
  via: absentOr(httpUrl),
})

/** As JSON. */
export function encodeQueuedUrl({
  url,
  sidesteps,
  redirects,
  hop,
  via,
  isSeed,
}: QueuedUrl): string {
  const row = [url, sidesteps, redirects, hop, isSeed ? 1 : 0]
  return JSON.stringify(via === undefined ? row : [...row, via])
}

/**
 * @param host of the queue that it was in
 * @throws DamageError for what is no URL of that host: it would be asked without regard to its manners
 */
export function decodeQueuedUrl(json: string, host: string): QueuedUrl {
  const [url, sidesteps, redirects, hop, isSeed, via] = storedJson(rowForm, json, 'its queue')
  const row = { url, sidesteps, redirects, hop, isSeed, ...(via !== undefined && { via }) }
  const found = stored(foundForm, row, 'its queue')
  if (hostKey(found.url) === host) return { ...found, isSeed: found.isSeed === 1 }
  throw new DamageError(`its queue: expected a URL of ${host}, got ${found.url}`)
}
