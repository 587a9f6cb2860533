import { openTemporaryDatabase } from '../../database/sqlite.ts'
import { isObject } from '../read-json-lines.ts'
import { errorCodeOf, type RecordedVisit, readVisits } from '../read-visits.ts'

/** Compared fields of a visit; absent ones are left out. */
export interface VisitFacts {
  readonly status?: number
  /** The `error.code`. */
  readonly error?: string
  readonly redirectsTo?: string
  readonly contentType?: string
  readonly bytes?: number
  readonly title?: string
  readonly links?: number
  /** The data that `--extract`, `--text` and hooks found, by field. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** `status` if the status or the error differs, `changed` if only other facts do. */
export type DifferenceKind = 'added' | 'gone' | 'status' | 'changed'

/** One URL on which two crawls differ. */
export interface Difference {
  readonly kind: DifferenceKind
  readonly url: string
  /**
   * Facts of the first crawl that differ in the second; absent if added. For `status`, always the
   * status and the error.
   */
  readonly before?: VisitFacts
  /** Facts of the second crawl that differ; absent if gone. */
  readonly after?: VisitFacts
}

/** The comparison of two crawls. */
export interface Comparison {
  /** URLs of the first and of the second crawl; counted while iterating over the differences. */
  readonly urls: readonly [number, number]
  /** Ordered by URL, byte by byte; can be iterated once, before `close`. */
  readonly differences: Iterable<Difference>
  close(): void
}

interface SideRow {
  readonly url: string
  readonly side: 0 | 1
  readonly facts: string
}

// SQLite sorts on disk if its cache is too small, so the size of the crawls doesn't matter.
const SORTED_VISITS = 'SELECT url, side, facts FROM visits ORDER BY url, side, rowid'

/**
 * Compares two files of visits by URL, in constant memory. If a URL has several records in a file,
 * as a resumed crawl to a pipe may leave them, the last one counts.
 * @throws CrawlerError('usage') when a file can't be read, or a line is not a visit
 */
export async function compareVisits(before: string, after: string): Promise<Comparison> {
  const database = openTemporaryDatabase()
  try {
    database.exec('CREATE TABLE visits (url TEXT, side INTEGER, facts TEXT)')
    const insert = database.prepare('INSERT INTO visits VALUES (?, ?, ?)')
    for (const [side, file] of [before, after].entries()) {
      for await (const visit of readVisits(file)) {
        insert.run(visit.url, side, JSON.stringify(factsOf(visit)))
      }
    }
    const rows = database.prepare(SORTED_VISITS).iterate() as unknown as Iterable<SideRow>
    const urls: [number, number] = [0, 0]
    return { urls, differences: differencesIn(rows, urls), close: () => database.close() }
  } catch (error) {
    database.close()
    throw error
  }
}

function factsOf(visit: RecordedVisit): object {
  const { status, redirectsTo, contentType, bytes, title, links, data } = visit
  const facts = { status, error: errorCodeOf(visit), redirectsTo, contentType, bytes, title, links }
  // Fields come in the order of the options.
  return isObject(data)
    ? { ...facts, data: Object.fromEntries(Object.entries(data).sort()) }
    : facts
}

function* differencesIn(rows: Iterable<SideRow>, urls: [number, number]): Generator<Difference> {
  for (const [url, before, after] of pairsByUrl(rows)) {
    if (before !== undefined) urls[0] += 1
    if (after !== undefined) urls[1] += 1
    if (before === after) continue
    const difference = differenceOf(url, before, after)
    if (difference !== undefined) yield difference
  }
}

/** The facts of a URL in both crawls. */
type VisitPair = [url: string, before?: string | undefined, after?: string | undefined]

function* pairsByUrl(rows: Iterable<SideRow>): Generator<VisitPair> {
  let pair: VisitPair | undefined
  for (const { url, side, facts } of rows) {
    if (url !== pair?.[0]) {
      if (pair !== undefined) yield pair
      pair = [url]
    }
    pair[side === 0 ? 1 : 2] = facts
  }
  if (pair !== undefined) yield pair
}

function differenceOf(url: string, before?: string, after?: string): Difference | undefined {
  if (before === undefined) return { kind: 'added', url, after: JSON.parse(after ?? '{}') }
  if (after === undefined) return { kind: 'gone', url, before: JSON.parse(before) }
  return changeOf(url, JSON.parse(before), JSON.parse(after))
}

function changeOf(url: string, a: VisitFacts, b: VisitFacts): Difference | undefined {
  if ((isUnmodified(a) && isSuccess(b)) || (isUnmodified(b) && isSuccess(a))) return undefined
  const isStatus = a.status !== b.status || a.error !== b.error
  const outcomeOf = ({ status, error }: VisitFacts): VisitFacts => ({
    ...(isStatus && status !== undefined ? { status } : {}),
    ...(isStatus && error !== undefined ? { error } : {}),
  })
  return {
    ...{ kind: isStatus ? 'status' : 'changed', url },
    before: { ...outcomeOf(a), ...differingFacts(a, b) },
    after: { ...outcomeOf(b), ...differingFacts(b, a) },
  }
}

/** A crawl that visits pages again sends conditional requests; 304 means that nothing changed. */
const isUnmodified = ({ status, error }: VisitFacts) => status === 304 && error === undefined
const isSuccess = ({ status = 0, error }: VisitFacts) => status < 400 && error === undefined

/** Returns the facts that differ in the other visit, and the fields of its data that do. */
function differingFacts(facts: VisitFacts, other: VisitFacts): VisitFacts {
  const { data: fields = {}, ...rest } = facts
  const data = differing(fields, { ...other.data })
  return { ...differing(rest, { ...other }), ...(Object.keys(data).length > 0 && { data }) }
}

function differing(
  values: object,
  others: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const isOther = ([name, value]: [string, unknown]) =>
    JSON.stringify(others[name]) !== JSON.stringify(value)
  return Object.fromEntries(Object.entries(values).filter(isOther))
}
