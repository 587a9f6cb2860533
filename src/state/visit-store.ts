import type { DatabaseSync } from 'node:sqlite'
import {
  count,
  guarded,
  nullable,
  parseStored,
  record,
  text,
} from '../database/validate-stored-values.ts'
import type { ContentVersion } from '../records/content-version.ts'
import { DROPPED_IDS, DroppedVisits } from './dropped-visits.ts'

/** Summary of the outcome of a URL. The output has the whole record. */
interface VisitOutcome {
  readonly status?: number | undefined
  readonly error?: string | undefined
  /** Bytes of the decoded body. */
  readonly bytes?: number | undefined
  /** Number of links inside the scope; absent if the body was not scanned for links. */
  readonly linkCount?: number | undefined
  /** The version of the content; absent if the response doesn't contain it. */
  readonly content?: ContentVersion
}

const TABLE = `
  CREATE TABLE IF NOT EXISTS visits (
    url INTEGER PRIMARY KEY REFERENCES urls,
    status INTEGER,
    error TEXT,
    bytes INTEGER,
    at INTEGER NOT NULL,
    depth INTEGER,
    etag TEXT,
    last_modified TEXT,
    digest TEXT,
    links INTEGER
  ) STRICT`

const headerValueSchema = nullable(guarded(isHeaderValue, 'the value of a header'))
const contentSchema = record({
  depth: nullable(count),
  etag: headerValueSchema,
  last_modified: headerValueSchema,
  digest: nullable(text),
})

/**
 * The table `visits`: the last visit of each URL that has a record. `at` is its time, in milliseconds since 1970. These
 * columns come from the last visit that returned content. If all content ended early, only `links` of them is set:
 * - `depth`: depth of the URL when its links were read
 * - `etag`, `last_modified`: the validators
 * - `digest`: SHA-256 of the body, in hexadecimal
 * - `links`: number of links inside the scope; NULL if the body was not scanned for links
 */
export class VisitStore {
  readonly #put
  readonly #putContent
  readonly #noteLinks
  readonly #last
  readonly #due
  readonly #clamp

  constructor(database: DatabaseSync) {
    database.exec(TABLE)
    DroppedVisits.createTable(database)
    this.#put = database.prepare(
      `INSERT INTO visits (url, status, error, bytes, at, links) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (url) DO UPDATE SET status = excluded.status, error = excluded.error,
         bytes = excluded.bytes, at = excluded.at, links = ifnull(links, excluded.links)`,
    )
    this.#putContent = database.prepare(
      `INSERT OR REPLACE INTO visits (url, status, error, bytes, at, depth, etag, last_modified, digest, links)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#noteLinks = database.prepare('UPDATE visits SET links = ?, depth = ? WHERE url = ?')
    this.#last = database.prepare(
      'SELECT depth, etag, last_modified, digest FROM visits WHERE url = ?',
    )
    this.#clamp = database.prepare('UPDATE visits SET at = ? WHERE at > ?')
    this.#due = database.prepare(
      `SELECT count(*) AS visits FROM visits WHERE at <= ? AND url NOT IN (${DROPPED_IDS})`,
    )
  }

  /**
   * @param id of the URL
   * @param depth of the URL at the visit
   */
  put(id: number, depth: number, { status, error, bytes, content, linkCount }: VisitOutcome): void {
    const visit = [id, status ?? null, error ?? null, bytes ?? null, Date.now()] as const
    if (content === undefined) {
      // A body that ended early can't be compared with another one, but it may have links.
      this.#put.run(...visit, linkCount ?? null)
      return
    }
    const { etag, lastModified, digest } = content
    const validators = [etag ?? null, lastModified ?? null, digest ?? null] as const
    this.#putContent.run(...visit, depth, ...validators, linkCount ?? null)
  }

  /** Stores how many links a page has that was read again only for them. `linkCount` is absent if it wasn't scanned. */
  noteLinks(id: number, depth: number, linkCount: number | undefined): void {
    if (linkCount !== undefined) this.#noteLinks.run(linkCount, depth, id)
  }

  /**
   * Returns the content of a URL's last visit; undefined if there was none.
   * @param depth current depth of the URL. If it is lower than at the last visit, the links of the page
   * lead further, so the page is fetched in full: the result has no validators.
   */
  contentOf(id: number, depth: number): ContentVersion | undefined {
    const row = this.#last.get(id)
    if (row === undefined) return undefined
    const content = parseStored(contentSchema, row, 'visits')
    const { etag, last_modified: lastModified, digest } = content
    const isNearer = content.depth !== null && depth < content.depth
    return {
      ...(digest !== null && { digest }),
      ...(!isNearer && etag !== null && { etag }),
      ...(!isNearer && lastModified !== null && { lastModified }),
    }
  }

  /**
   * Sets the times of visits that are after `time` to `time`: the clock was changed since.
   * @returns whether there were any
   */
  clampTimes(time: number): boolean {
    return this.#clamp.run(time, time).changes > 0
  }

  /** Returns the number of URLs to visit again whose last visit was at that time or before (milliseconds since 1970). */
  countDue(time: number): number {
    return Number(this.#due.get(time)?.['visits'])
  }
}

/** Returns whether a value may be sent in the header of a request. */
function isHeaderValue(value: unknown): value is string {
  return typeof value === 'string' && /^[\x20-\x7e\x80-\xff]*$/.test(value)
}
