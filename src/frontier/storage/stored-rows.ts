import {
  bytes,
  count,
  duration,
  flag,
  guarded,
  httpUrl,
  isHttpUrl,
  list,
  nullable,
  oneOf,
  optional,
  parseStored,
  record,
  text,
  time,
  union,
  urlTestFor,
} from '../../database/validate-stored-values.ts'
import { DamageError } from '../../errors.ts'
import { HOPS, type Hop, SAME_DEPTH_HOP_KINDS } from '../../records/crawl-url.ts'
import type { RobotsRules } from '../../robots/parse.ts'
import { hostKey } from '../../url/host-key.ts'
import { type HostRef, type ReadyUrl, URL_STATE } from './stored-url.ts'

// The schemas of all rows that the frontier reads back. A state directory may be damaged, or come from somebody else.

const depth = count
const hop = oneOf(HOPS, 'a hop')
/** The column `same_depth_hops` keeps the number of hops at the same depth. */
const pathLength = { depth, sameDepthHops: count, redirects: count }

export const readyUrlSchema = record({
  id: count,
  url: httpUrl,
  ...pathLength,
  hop,
  via: nullable(httpUrl),
  attempts: count,
  failures: count,
})

export const waitingUrlSchema = record({
  id: count,
  url: httpUrl,
  depth,
  hop,
  via: nullable(httpUrl),
})

/** A URL that `--external` may have checked. `via` is the id of its page. */
export const externalUrlSchema = record({ id: count, url: httpUrl, hop, via: nullable(count) })

/** The columns of a waiting URL, in the order of its row. */
const READY_COLUMNS = 'id url depth sameDepthHops redirects hop via attempts failures'.split(' ')

/**
 * Returns the waiting URLs of a host.
 * @param rows arrays with the values of `READY_COLUMNS`
 * @throws DamageError for a URL of another host: it would be requested without regard to that host's pauses
 */
export function readyUrls(rows: readonly unknown[], { key }: HostRef): ReadyUrl[] {
  const isOwn = urlTestFor(key)
  return rows.map((row) => {
    if (!isReadyRow(row, isOwn)) return checkedReadyUrl(row, key)
    const [id, url, depth, sameDepthHops, redirects, hop, via, attempts, failures] = row
    return { id, url, depth, sameDepthHops, redirects, hop, via, attempts, failures }
  })
}

type ReadyRow = readonly [
  id: number,
  url: string,
  depth: number,
  sameDepthHops: number,
  redirects: number,
  hop: Hop,
  via: string | null,
  attempts: number,
  failures: number,
]

/** Returns whether a row is valid. It is faster than `checkedReadyUrl`, but rejects a few valid rows. */
function isReadyRow(row: unknown, isOwn: (url: unknown) => boolean): row is ReadyRow {
  if (!Array.isArray(row)) return false
  const [id, url, depth, sameDepthHops, redirects, hop, via, attempts, failures] = row
  return (
    isOwn(url) &&
    (via === null || isOwn(via) || (typeof via === 'string' && isHttpUrl(via))) &&
    HOPS.includes(hop) &&
    [id, depth, sameDepthHops, redirects, attempts, failures].every(isCount)
  )
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function checkedReadyUrl(row: unknown, key: string): ReadyUrl {
  const values: readonly unknown[] = Array.isArray(row) ? row : []
  const named = Object.fromEntries(READY_COLUMNS.map((column, at) => [column, values[at]]))
  const found = parseStored(readyUrlSchema, named, 'urls')
  if (hostKey(found.url) === key) return found
  throw new DamageError(`urls.url: expected a URL of ${key}, got ${found.url}`)
}

export const knownUrlSchema = record({
  id: count,
  host: count,
  state: oneOf(Object.values(URL_STATE), 'a state of a URL'),
  ...pathLength,
})

/**
 * The URLs that wait at a depth. `withoutHost` counts those whose host has no row, `lost` their hosts that would never
 * have a turn.
 */
export const waitingSchema = record({ depth, count, withoutHost: count, lost: count })

/** A type guard is faster than a schema: all URLs of a state may be read this way. */
export const idAndUrlSchema = guarded(isIdAndUrl, 'the id of a URL, and the URL')

export const hostSchema = record({
  id: count,
  key: text,
  not_before: time,
  pause: duration,
  pages: count,
  errors: count,
  demands: count,
  failure: nullable(text),
  answered_url: nullable(httpUrl),
  away_since: nullable(time),
  due: nullable(time),
  dormant: oneOf([0, 1], '0 or 1'),
})

const ACCESS = 'the access of a robots.txt'

const rulesSchema = record({
  access: oneOf(['rules'], ACCESS),
  rules: guarded(isRobotsRules, 'the rules of a robots.txt'),
})

const failureSchema = record({
  access: oneOf(['disallow-all'], ACCESS),
  reason: text,
  isTransient: flag,
  error: optional(oneOf(['private-address'], 'the error of pages')),
  retryAfter: optional(duration),
  isExcessive: optional(flag),
  failures: optional(count),
  waited: optional(count),
})

export const robotsAnswerSchema = union(
  record({ access: oneOf(['allow-all'], ACCESS) }),
  union(rulesSchema, failureSchema, ACCESS),
  ACCESS,
)

/** A robots.txt that another process hands over. */
export const sharedRobotsSchema = record({ answer: robotsAnswerSchema, until: time })

/** The state of a host that another process hands over. */
export const handoverSchema = record({
  pause: duration,
  pages: count,
  errors: count,
  demands: count,
  failure: optional(text),
  answeredUrl: optional(httpUrl),
  awayFor: optional(count),
})

export const robotsSchema = record({ origin: text, until: time, answer: text })

export const sameDepthSchema = list(
  record({
    hop: oneOf(SAME_DEPTH_HOP_KINDS, 'a hop at the same depth'),
    urls: list(text),
  }),
)

export const outlinksSchema = record({ links: nullable(bytes), same_depth: text })

export const orderedUrlSchema = record({ id: count, ...pathLength, hop, host: text })

function isIdAndUrl(value: unknown): value is [id: number, url: string] {
  return Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'string'
}

/** A type guard is faster than a schema: there may be 35,000 rules, and a host may be loaded into memory often. */
function isRobotsRules(value: unknown): value is RobotsRules {
  if (!isObject(value) || !Array.isArray(value['rules'])) return false
  const { rules, sitemaps, crawlDelayMs = 0, crawlDelayLine = 0 } = value
  return (
    typeof crawlDelayMs === 'number' &&
    crawlDelayMs >= 0 &&
    typeof crawlDelayLine === 'number' &&
    rules.every(isRobotsRule) &&
    Array.isArray(sitemaps) &&
    sitemaps.every((each) => typeof each === 'string')
  )
}

function isRobotsRule(value: unknown): boolean {
  if (!isObject(value)) return false
  const { allow, pattern, line } = value
  return typeof allow === 'boolean' && typeof pattern === 'string' && typeof line === 'number'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
