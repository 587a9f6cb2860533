import type { DatabaseSync } from 'node:sqlite'
import { PROCESSING_FAILURES } from '../../records/error-code.ts'
import { REDIRECT_STATUSES } from '../../records/redirect-status.ts'

const IS_PROCESSING_FAILURE = `error IN ('${PROCESSING_FAILURES.join("', '")}')`
/** Visits that count as broken: an error status or no response. */
export const BROKEN = `(status >= 400 OR NOT ${IS_PROCESSING_FAILURE})`
/** Visits with a successful, complete response. */
export const FINE = `(status BETWEEN 200 AND 299 AND (error IS NULL OR ${IS_PROCESSING_FAILURE}))`
/** Visits of `--revisit-after` whose response only says that nothing has changed. */
export const UNCHANGED = '(status = 304 AND error IS NULL)'
/** Visits with a redirect as response, wherever it points. */
export const REDIRECTED = `(status IN (${REDIRECT_STATUSES.join(', ')}) AND error IS NULL)`

/** The error code of a visit, or its status if it has none, or if the status makes it broken and the error doesn't. */
export const OUTCOME = `iif(error IS NULL OR status >= 400 AND ${IS_PROCESSING_FAILURE}, status, error)`

/** Returns the SQL condition for visits that got a page or a redirect. */
export function hasContent(table: string): string {
  return `(${table}.status BETWEEN 200 AND 399 AND ${table}.status <> 304 AND ${table}.error IS NULL)`
}

/** The number of visits with a common value. */
export interface Count {
  /** The common value; null if the field is absent. */
  readonly label: string | number | null
  readonly count: number
}

/** Overall numbers of a report; times in milliseconds. */
export interface Overview {
  readonly visits: number
  readonly fine: number
  readonly unchanged: number
  readonly redirects: number
  readonly broken: number
  readonly hosts: number
  readonly bytes: number
  readonly depth: number | null
  /** End times of the first and last visit since 1970; null when no visit has a time. */
  readonly from: number | null
  readonly to: number | null
  /** Percentiles of visit durations; null when no visit has one. */
  readonly median: number | null
  readonly p90: number | null
  readonly p99: number | null
}

const OVERVIEW = `
  SELECT count(*) AS visits, count(CASE WHEN ${FINE} THEN 1 END) AS fine,
    count(CASE WHEN ${UNCHANGED} THEN 1 END) AS unchanged,
    count(CASE WHEN ${REDIRECTED} THEN 1 END) AS redirects,
    count(CASE WHEN ${BROKEN} THEN 1 END) AS broken, count(DISTINCT host) AS hosts,
    total(bytes) AS bytes, max(depth) AS depth, min(at) AS "from", max(at) AS "to"
  FROM visits`

export function readOverview(database: DatabaseSync): Overview {
  const counts = database.prepare(OVERVIEW).get() as unknown as Overview
  const timed = database.prepare('SELECT count(ms) AS timed FROM visits').get()?.['timed']
  const nth = database.prepare(
    'SELECT ms FROM visits WHERE ms IS NOT NULL ORDER BY ms LIMIT 1 OFFSET ?',
  )
  // By nearest rank: the smallest value that at least this share of the visits doesn't exceed.
  const percentile = (share: number) => {
    const rank = Math.max(0, Math.ceil(Number(timed) * share) - 1)
    const ms = nth.get(rank)?.['ms']
    return ms === undefined ? null : Number(ms)
  }
  return { ...counts, median: percentile(0.5), p90: percentile(0.9), p99: percentile(0.99) }
}

/** Maximum number of groups; a hostile site can create any number. */
const MAX_GROUPS = 100

/**
 * Counts visits by the value of an SQL expression.
 * @param order SQL; most frequent first by default
 */
export function countsBy(
  database: DatabaseSync,
  expression: string,
  order = 'count DESC, label',
): Count[] {
  const query = `
    SELECT ${expression} AS label, count(*) AS count FROM visits
    GROUP BY label ORDER BY ${order} LIMIT ${MAX_GROUPS}`
  return database.prepare(query).all() as unknown as Count[]
}

/** Upper bounds of the ranges in milliseconds. A duration equal to a bound belongs to the next range. */
const DURATION_BOUNDS = [10, 30, 100, 300, 1_000, 3_000, 10_000]

/** Counts visits by duration, including empty ranges. */
export function durationCounts(database: DatabaseSync): { below: number; count: number }[] {
  const cases = DURATION_BOUNDS.map((bound, place) => `WHEN ms < ${bound} THEN ${place}`).join(' ')
  const rows = database
    .prepare(
      `SELECT CASE ${cases} ELSE ${DURATION_BOUNDS.length} END AS place, count(*) AS count
       FROM visits WHERE ms IS NOT NULL GROUP BY place`,
    )
    .all()
  const counts = new Map(rows.map(({ place, count }) => [Number(place), Number(count)]))
  return [...DURATION_BOUNDS, Number.POSITIVE_INFINITY].map((below, place) => ({
    below,
    count: counts.get(place) ?? 0,
  }))
}

/** Visits that ended in an interval. */
export interface Interval {
  readonly count: number
  readonly broken: number
}

/** Maximum number of intervals. */
const MAX_INTERVALS = 120
/** Interval lengths that people read easily, in milliseconds. */
const INTERVAL_LENGTHS = [
  ...[10, 50, 100, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000],
  ...[1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1_440].map((minutes) => minutes * 60_000),
]

/** Counts visits over time, in intervals of equal length, including empty ones. */
export function visitsOverTime(
  database: DatabaseSync,
  { from, to }: Overview,
): { readonly intervalMs: number; readonly intervals: readonly Interval[] } {
  if (from === null || to === null) return { intervalMs: 0, intervals: [] }
  const least = (to - from) / MAX_INTERVALS
  const intervalMs =
    INTERVAL_LENGTHS.find((length) => length > least) ?? Math.ceil(least / 86_400_000) * 86_400_000
  const rows = database
    .prepare(
      `SELECT CAST((at - ?) / ? AS INTEGER) AS place, count(*) AS count,
         count(CASE WHEN ${BROKEN} THEN 1 END) AS broken
       FROM visits WHERE at IS NOT NULL GROUP BY place`,
    )
    .all(from, intervalMs)
  const length = Math.floor((to - from) / intervalMs) + 1
  const intervals: Interval[] = Array.from({ length }, () => ({ count: 0, broken: 0 }))
  for (const { place, count, broken } of rows) {
    intervals[Number(place)] = { count: Number(count), broken: Number(broken) }
  }
  return { intervalMs, intervals }
}
