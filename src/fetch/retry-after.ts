import type { FetchResponse } from './fetcher.ts'

/** Statuses whose Retry-After is about the host (RFC 6585, section 4; RFC 9110, 15.6.4). */
const OVERLOADED: ReadonlySet<number> = new Set([429, 503])

const SECONDS = /^\d+$/
/** Maximum seconds of a pause; longer ones are cut to it. */
const MAX_SECONDS = 999_999_999_999_999
/** The three forms of dates of RFC 9110, 5.6.7: IMF-fixdate, RFC 850, asctime. */
const FIXDATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const RFC_850 = /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/

/** The pause that a host requests, in milliseconds. */
export interface Pause {
  readonly retryAfter: number
  /** The pause as requested, if it is longer than --max-retry-after. */
  readonly requested?: number
}

/** Returns the pause that a response requests, cut to --max-retry-after; undefined if it requests none. */
export function pauseAfter(response: FetchResponse, maxRetryAfter: number): Pause | undefined {
  const retryAfter = retryAfterOf(response)
  if (retryAfter === undefined || retryAfter <= maxRetryAfter) {
    return retryAfter === undefined ? undefined : { retryAfter }
  }
  return { retryAfter: maxRetryAfter, requested: retryAfter }
}

/** Describes the pause that a host requested, given in milliseconds. */
export function describeRequestedPause(asked: number): string {
  return `has a Retry-After of ${Math.ceil(asked / 1_000)} s`
}

/**
 * Returns the milliseconds of Retry-After (RFC 9110, 10.2.3) of a 429 or 503; undefined if it is missing or invalid; 0
 * for dates in the past.
 */
export function retryAfterOf({ status, headers }: FetchResponse): number | undefined {
  if (!OVERLOADED.has(status)) return undefined
  const value = first(headers['retry-after'])?.trim()
  if (value === undefined) return undefined
  if (SECONDS.test(value)) return Math.min(Number(value), MAX_SECONDS) * 1_000
  const until = parseHttpDate(value)
  if (until === undefined) return undefined
  // The server's clock counts, if it sends its time.
  const now = parseHttpDate(first(headers['date'])?.trim() ?? '') ?? Date.now()
  return Math.max(0, until - now)
}

/** Returns milliseconds since 1970. */
function parseHttpDate(text: string): number | undefined {
  const isKnown = FIXDATE.test(text) || RFC_850.test(text)
  if (!isKnown && !ASCTIME.test(text)) return undefined
  const time = Date.parse(isKnown ? text : `${text} GMT`)
  return Number.isNaN(time) ? undefined : time
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
