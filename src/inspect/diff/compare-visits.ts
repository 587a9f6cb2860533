import type { DatabaseSync } from 'node:sqlite'
import { nameOfSource, type TextSource } from '../../compressed-files/open-text.ts'
import { openTemporaryDatabase } from '../../database/sqlite.ts'
import type { Progress } from '../progress.ts'
import { isStateDirectory, readStateVisits } from '../read-state-visits.ts'
import { readVisits } from '../read-visits.ts'
import {
  type Difference,
  type DifferenceKind,
  differenceOf,
  isUnmodifiedSince,
} from './difference.ts'
import { UnchangedPages } from './unchanged-pages.ts'
import { type FactsOfBoth, factsOf, KnownFacts, type VisitFacts } from './visit-facts.ts'

/** The comparison of two crawls. */
export interface Comparison {
  /** Numbers of URLs of the first and the second crawl, counted while iterating over the differences. */
  readonly urls: readonly [number, number]
  /** Number of differences of each kind that occurs, counted in the same way. */
  readonly counts: ReadonlyMap<DifferenceKind, number>
  /** URLs that could not be compared fully, counted in the same way. */
  readonly uncertain: Readonly<UncertainCounts>
  /** Facts that only one crawl has, for each crawl that lacks some. */
  readonly uncompared: readonly UncomparedFacts[]
  /** The facts about the content of pages that both crawls have, other than its hash and text. */
  readonly comparedContent: readonly ContentFact[]
  /** Ordered by URL, byte by byte; can be iterated once, before `close`. */
  readonly differences: Iterable<Difference>
  close(): void
}

/** Numbers of URLs for which the result of the comparison is uncertain. */
interface UncertainCounts {
  /** Pages that count as unchanged, although one crawl or both lack their hash and their text. */
  bySize: number
  /** URLs that count as gone, although a page that is the same in both crawls leads to them. */
  stillLinked: number
}

const CONTENT = ['bytes', 'title', 'links'] as const
type ContentFact = (typeof CONTENT)[number]

/** Facts of one crawl that the other one can't have. */
interface UncomparedFacts {
  /** Names of the facts; a field of data is `data.name`. */
  readonly facts: readonly string[]
  /** Name of the file or directory without these facts. */
  readonly lackedBy: string
}

interface SideRow {
  readonly url: string
  readonly side: 0 | 1
  readonly facts: string
  readonly via: string | null
}

const TABLE = 'CREATE TABLE visits (url TEXT, side INTEGER, facts TEXT, via TEXT)'
const INDEX = 'CREATE INDEX by_url ON visits (url, side)'
// SQLite sorts on disk if its cache is too small, so the size of the crawls doesn't matter.
const SORTED_VISITS = 'SELECT url, side, facts, via FROM visits ORDER BY url, side, rowid'

/**
 * Compares two crawls by URL, in constant memory. Each crawl is a file of visits or a directory of `--state`. If a file
 * has several records of a URL, the last one counts: a resumed crawl that writes to a pipe may repeat records. If that is
 * 304 Not Modified, the record before it counts.
 * @throws CrawlerError('usage') when a file can't be read, or a line is not a visit; 'state' when a state is damaged
 */
export async function compareVisits(
  before: TextSource,
  after: TextSource,
  progress?: Progress,
): Promise<Comparison> {
  const database = openTemporaryDatabase()
  try {
    database.exec(TABLE)
    const known: FactsOfBoth = [
      await storeVisits(database, before, 0, progress),
      await storeVisits(database, after, 1, progress),
    ]
    progress?.fileRead()
    database.exec(INDEX)
    const rows = database.prepare(SORTED_VISITS).iterate() as unknown as Iterable<SideRow>
    const uncertain = { bySize: 0, stillLinked: 0 }
    const counted: Counted = { urls: [0, 0], counts: new Map(), uncertain }
    const unchanged = new UnchangedPages(database)
    const differences = differencesIn(rows, { unchanged, known }, counted)
    const [one, other] = known
    const uncompared = [
      { facts: other.missingIn(one), lackedBy: nameOfSource(before) },
      { facts: one.missingIn(other), lackedBy: nameOfSource(after) },
    ].filter(({ facts }) => facts.length > 0)
    const comparedContent = CONTENT.filter((name) => known.every((each) => each.has(name)))
    const close = () => database.close()
    return { ...counted, differences, uncompared, comparedContent, close }
  } catch (error) {
    database.close()
    throw error
  }
}

/** Stores the visits of a crawl in the table. Returns the facts that they can have. */
async function storeVisits(
  database: DatabaseSync,
  source: TextSource,
  side: SideRow['side'],
  progress?: Progress,
): Promise<KnownFacts> {
  const insert = database.prepare('INSERT INTO visits VALUES (?, ?, ?, ?)')
  const isState = isStateDirectory(source)
  const known = new KnownFacts(isState)
  for await (const visit of isState ? readStateVisits(source) : readVisits(source)) {
    const facts = factsOf(visit)
    known.add(visit, facts)
    insert.run(visit.url, side, JSON.stringify(facts), visit.via ?? null)
    progress?.recordRead()
  }
  return known
}

/** Numbers that are counted while iterating over the differences. */
interface Counted {
  readonly urls: [number, number]
  readonly counts: Map<DifferenceKind, number>
  readonly uncertain: UncertainCounts
}

function* differencesIn(
  rows: Iterable<SideRow>,
  { unchanged, known }: { readonly unchanged: UnchangedPages; readonly known: FactsOfBoth },
  { urls, counts, uncertain }: Counted,
): Generator<Difference> {
  for (const { url, via, before, after } of pairsByUrl(rows)) {
    if (before !== undefined) urls[0] += 1
    if (after !== undefined) urls[1] += 1
    const difference = differenceOf(url, { before, after }, known)
    if (difference === undefined) {
      if (lacksHashAndText(before) || lacksHashAndText(after)) uncertain.bySize += 1
      continue
    }
    const { kind } = difference
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    const isGone = kind === 'gone' && via !== undefined
    const linkedFrom = isGone ? unchanged.nearestAncestor(via) : undefined
    if (linkedFrom !== undefined) uncertain.stillLinked += 1
    yield linkedFrom === undefined ? difference : { ...difference, linkedFrom }
  }
}

/** Returns true for a page without hash and text: a change of its content that keeps its size goes unnoticed. */
function lacksHashAndText(json: string | undefined): boolean {
  if (json === undefined) return false
  const { status = 0, hash, data = {}, error }: VisitFacts = JSON.parse(json)
  const hasText = 'text' in data || 'markdown' in data
  return status >= 200 && status < 300 && error === undefined && hash === undefined && !hasText
}

/** The facts of a URL in both crawls, and the page on which the first crawl found the URL. */
interface VisitPair {
  readonly url: string
  via: string | undefined
  before: string | undefined
  after: string | undefined
}

function* pairsByUrl(rows: Iterable<SideRow>): Generator<VisitPair> {
  let pair: VisitPair | undefined
  for (const { url, side, facts, via } of rows) {
    if (url !== pair?.url) {
      if (pair !== undefined) yield pair
      pair = { url, via: undefined, before: undefined, after: undefined }
    }
    if (side === 0) pair.via = via ?? undefined
    const name = side === 0 ? 'before' : 'after'
    if (!isUnmodifiedSince(pair[name], facts)) pair[name] = facts
  }
  if (pair !== undefined) yield pair
}
