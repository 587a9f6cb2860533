import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { TextSource } from '../../compressed-files/open-text.ts'
import { openTemporaryDatabase } from '../../database/sqlite.ts'
import type { Progress } from '../progress.ts'
import { isStateDirectory, readStateVisits } from '../read-state-visits.ts'
import { errorCodeOf, type RecordedVisit, readVisits } from '../read-visits.ts'
import { markRedirectLoops } from './redirect-loops.ts'
import { hasContent, REDIRECTED, UNCHANGED } from './visit-statistics.ts'

// Numbers are REAL: a damaged record may have integers that can't be read back as JavaScript numbers.
const TABLE = `CREATE TABLE visits (
  id INTEGER PRIMARY KEY, url TEXT, host TEXT, status REAL, error TEXT, message TEXT,
  depth REAL, via TEXT, hop TEXT, target TEXT, type TEXT, bytes REAL, ms REAL, title TEXT,
  at REAL, links REAL, rendered_links REAL, canonical TEXT, robots TEXT, text REAL,
  raw_title TEXT, raw_canonical TEXT, raw_robots TEXT, raw_text REAL, noindex INTEGER)`
const COLUMNS = 24

/** Columns that 304 Not Modified leaves empty. */
const CONTENT = `target, type, bytes, title, links, rendered_links, canonical, robots, text, raw_title,
  raw_canonical, raw_robots, raw_text, noindex`
const LAST_CONTENT = `
  SELECT ${CONTENT} FROM visits AS known
  WHERE known.url = visits.url AND known.id < visits.id AND ${hasContent('known')}
  ORDER BY known.id DESC LIMIT 1`

const HAS_LATER =
  'EXISTS (SELECT 1 FROM visits AS later WHERE later.url = visits.url AND later.id > visits.id)'

// If a URL has several records, the last one counts. They come from --revisit-after, or a resumed crawl to a pipe.
const FINISH = `
  CREATE INDEX by_url ON visits (url, id);
  UPDATE visits SET (${CONTENT}) = (${LAST_CONTENT})
  WHERE ${UNCHANGED} AND NOT ${HAS_LATER} AND EXISTS (${LAST_CONTENT});
  DELETE FROM visits WHERE ${HAS_LATER};
  CREATE INDEX by_title ON visits (title) WHERE title <> ''`

// A state doesn't store targets of redirects. A URL that was first found by a redirect is the target of that redirect.
const INFER_TARGETS = `
  CREATE INDEX by_redirect ON visits (via) WHERE hop = 'redirect';
  UPDATE visits SET target = (
    SELECT next.url FROM visits AS next WHERE next.via = visits.url AND next.hop = 'redirect')
  WHERE ${REDIRECTED}`

/**
 * Creates a temporary database of the visits in a file or a directory of `--state`, which are read one by one, so memory
 * stays constant. `at` is in milliseconds since 1970; `target` is the target of a redirect. Loops of redirects have an
 * `error`.
 * @throws CrawlerError('usage') when the visits can't be read, or a line is not a visit
 */
export async function openVisitTable(
  source: TextSource,
  progress?: Progress,
): Promise<DatabaseSync> {
  const database = openTemporaryDatabase()
  try {
    database.exec(TABLE)
    const insert = database.prepare(`INSERT INTO visits VALUES (NULL${', ?'.repeat(COLUMNS)})`)
    const isState = isStateDirectory(source)
    for await (const visit of isState ? readStateVisits(source) : readVisits(source)) {
      insert.run(...rowOf(visit))
      progress?.recordRead()
    }
    progress?.fileRead()
    database.exec(FINISH)
    if (isState) database.exec(INFER_TARGETS)
    markRedirectLoops(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function rowOf(visit: RecordedVisit): SQLInputValue[] {
  const { url, error, time } = visit
  const at = time === undefined ? Number.NaN : Date.parse(time)
  return [
    ...[url, hostOf(url), visit.status, errorCodeOf(visit)],
    ...[typeof error === 'object' ? error.message : undefined, visit.depth, visit.via, visit.hop],
    ...[visit.redirectsTo, visit.contentType, visit.bytes, visit.ms, visit.title],
    ...[Number.isNaN(at) ? undefined : at, visit.links, visit.renderedLinks, visit.canonical],
    ...[visit.robots, visit.textLength, visit.rawTitle, visit.rawCanonical, visit.rawRobots],
    ...[visit.rawTextLength, visit.noindex === true ? 1 : undefined],
  ].map((value) => value ?? null)
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
