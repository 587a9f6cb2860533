import {
  count,
  httpUrl,
  list,
  oneOf,
  optional,
  parseStored,
  parseStoredJson,
  record,
  unknown,
} from '../../database/validate-stored-values.ts'
import { DamageError } from '../../errors.ts'
import { HOPS, type Hop } from '../../records/crawl-url.ts'
import { hostKey } from '../../url/host-key.ts'

const MAX_SHOWN = 60

/** A URL in the shared queue, without its depth. */
interface SharedUrl {
  readonly url: string
  readonly sameDepthHops: number
  readonly redirects: number
  readonly hop: Hop
  /** URL of the page that it was found on. */
  readonly via?: string | undefined
  /** True for a seed, and for the target of a seed's redirect. */
  readonly isSeed: boolean
}

/** A row with the fields in this order: `url`, `sameDepthHops`, `redirects`, `hop`, `isSeed`, `via`. */
const rowSchema = list(unknown)
const urlSchema = record({
  url: httpUrl,
  sameDepthHops: count,
  redirects: count,
  hop: oneOf(HOPS, 'a hop'),
  isSeed: oneOf([0, 1], '0 or 1'),
  via: optional(httpUrl),
})

/** Encodes a URL as JSON. */
export function encodeSharedUrl({
  url,
  sameDepthHops,
  redirects,
  hop,
  via,
  isSeed,
}: SharedUrl): string {
  const row = [url, sameDepthHops, redirects, hop, isSeed ? 1 : 0]
  return JSON.stringify(via === undefined ? row : [...row, via])
}

/**
 * Decodes a URL of a host's queue.
 * @throws DamageError for a URL of another host, because it would be fetched without that host's politeness
 */
export function decodeSharedUrl(json: string, host: string): SharedUrl {
  const [url, sameDepthHops, redirects, hop, isSeed, via] = parseStoredJson(
    rowSchema,
    json,
    'its queue',
  )
  const row = { url, sameDepthHops, redirects, hop, isSeed, ...(via !== undefined && { via }) }
  const found = parseStored(urlSchema, row, 'its queue')
  if (hostKey(found.url) === host) return { ...found, isSeed: found.isSeed === 1 }
  throw new DamageError(
    `its queue: expected a URL of ${host}, got ${found.url.slice(0, MAX_SHOWN)}`,
  )
}
