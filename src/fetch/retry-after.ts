import type { FetchResponse } from './fetcher.ts'

/** Statuses whose Retry-After is about the host (RFC 6585, section 4; RFC 9110, 15.6.4). */
const OVERLOADED: ReadonlySet<number> = new Set([429, 503])

const SECONDS = /^\d+(?:\.\d+)?$/
/** Maximum seconds of a pause; longer ones are cut to it. */
const MAX_SECONDS = 999_999_999_999_999
/**
 * IMF-fixdate and the date of RFC 850 (RFC 9110, 5.6.7), also in forms that servers send by mistake: another name or an
 * offset of the time zone, a day of one digit, no name of the day.
 */
const DATE =
  /^(?:[a-z]{3,9}, )?\d\d?[ -][a-z]{3}[ -](?:\d\d|\d{4}) \d\d:\d\d:\d\d (?:GMT|UTC|[+-]\d{4})$/i
/** ISO 8601 with a time zone, which HTTP doesn't allow, but JSON APIs use. */
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
const ASCTIME = /^[a-z]{3} [a-z]{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/i

/** The pause that a host requests, in milliseconds. */
export interface Pause {
  readonly retryAfter: number
  /** The pause as requested, if it is longer than --max-retry-after. */
  readonly requested?: number
}

/** Returns the pause that a response requests, cut to --max-retry-after; undefined if it requests none. */
export function pauseAfter(response: FetchResponse, maxRetryAfter: number): Pause | undefined {
  const retryAfter = retryAfterOf(response)
  if (retryAfter === undefined) return undefined
  if (retryAfter <= maxRetryAfter) return { retryAfter }
  return { retryAfter: maxRetryAfter, requested: retryAfter }
}

/** Describes the pause that a host requested, given in milliseconds. */
export function describeRequestedPause(requested: number): string {
  return `has a Retry-After of ${Math.ceil(requested / 1_000)} s`
}

/**
 * Returns the milliseconds of Retry-After (RFC 9110, 10.2.3) of a 429 or 503; undefined if it is missing or invalid; 0
 * for dates in the past.
 */
export function retryAfterOf({ status, headers }: FetchResponse): number | undefined {
  if (!OVERLOADED.has(status)) return undefined
  const value = first(headers['retry-after'])?.trim()
  if (value === undefined) return undefined
  if (SECONDS.test(value)) return Math.min(Math.ceil(Number(value)), MAX_SECONDS) * 1_000
  const until = parseHttpDate(value)
  if (until === undefined) return undefined
  // The server's clock counts, if it sends its time.
  const now = parseHttpDate(first(headers['date'])?.trim() ?? '') ?? Date.now()
  return Math.max(0, until - now)
}

/** Returns milliseconds since 1970. */
function parseHttpDate(text: string): number | undefined {
  const isComplete = DATE.test(text) || ISO.test(text)
  if (!isComplete && !ASCTIME.test(text)) return undefined
  const time = Date.parse(isComplete ? text : `${text} GMT`)
  return Number.isNaN(time) ? undefined : time
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
