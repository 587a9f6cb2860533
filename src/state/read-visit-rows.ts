import type { DatabaseSync } from 'node:sqlite'
import {
  count,
  httpUrl,
  nullable,
  oneOf,
  parseStored,
  record,
  type StoredValue,
  text,
  time,
} from '../database/validate-stored-values.ts'
import { HOPS } from '../records/crawl-url.ts'

/** Rows per read: a long read would keep the write-ahead log from being emptied. */
const BATCH_ROWS = 1_000

const VISITS = `
  SELECT u.id, u.url, v.status, v.error, v.bytes, v.digest, u.depth, page.url AS via, u.hop, v.at
  FROM visits AS v JOIN urls AS u ON u.id = v.url LEFT JOIN urls AS page ON page.id = u.via
  WHERE v.url > ? ORDER BY v.url LIMIT ${BATCH_ROWS}`

const visitRowSchema = record({
  id: count,
  url: httpUrl,
  status: nullable(count),
  error: nullable(text),
  bytes: nullable(count),
  digest: nullable(text),
  depth: count,
  via: nullable(httpUrl),
  hop: oneOf(HOPS, 'a hop'),
  at: time,
})

/** A visit as stored in the database. */
export type VisitRow = StoredValue<typeof visitRowSchema>

/**
 * Yields the last visit of each URL that has a record, in the order of discovery.
 * @throws DamageError
 */
export function* visitRows(database: DatabaseSync): Generator<VisitRow> {
  const next = database.prepare(VISITS)
  for (let last = 0; ; ) {
    const rows = next.all(last)
    if (rows.length === 0) return
    for (const row of rows) {
      const visit = parseStored(visitRowSchema, row, 'visits')
      last = visit.id
      yield visit
    }
  }
}
