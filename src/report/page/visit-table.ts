import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { openTemporaryDatabase } from '../../sqlite.ts'
import { errorCodeOf, type RecordedVisit, readVisits } from '../read-visits.ts'

const CREATE = `CREATE TABLE visits (
  id INTEGER PRIMARY KEY, url TEXT, host TEXT, status INTEGER, error TEXT, message TEXT,
  depth INTEGER, via TEXT, hop TEXT, target TEXT, type TEXT, bytes INTEGER, ms REAL, title TEXT,
  at REAL)`

// Where a URL has several records, which a resumed crawl to a pipe may leave, the last one counts.
const FINISH = `
  CREATE INDEX by_url ON visits (url, id);
  DELETE FROM visits WHERE id IN (
    SELECT a.id FROM visits AS a JOIN visits AS b ON b.url = a.url AND b.id > a.id);
  CREATE INDEX by_title ON visits (title) WHERE title <> ''`

/**
 * A temporary database of the visits of a file, read line by line: memory doesn't grow with it.
 * `at` is in milliseconds since 1970, `target` where a redirect points.
 * @throws CrawlerError('usage') when it can't be read, or a line is no visit
 */
export async function tableOfVisits(file: string): Promise<DatabaseSync> {
  const database = openTemporaryDatabase()
  try {
    database.exec(CREATE)
    const places = '?, '.repeat(13)
    const insert = database.prepare(`INSERT INTO visits VALUES (NULL, ${places}?)`)
    for await (const visit of readVisits(file)) insert.run(...rowOf(visit))
    database.exec(FINISH)
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
    Number.isNaN(at) ? undefined : at,
  ].map((value) => value ?? null)
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
