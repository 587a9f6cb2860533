import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import {
  count,
  httpUrl,
  nullable,
  oneOf,
  parseStored,
  record,
  text,
} from '../../database/validate-stored-values.ts'
import { URL_STATE } from '../../frontier/storage/stored-url.ts'
import { encodeLine } from '../../records/json-line.ts'
import type { Ledger } from '../../state/ledger.ts'
import { iterateState, readState } from '../../state/read-state.ts'
import { visitRows } from '../../state/read-visit-rows.ts'
import { isInUse } from '../../state/state-directory.ts'

/** Maximum number of hosts that are listed. */
const MAX_HOSTS = 10
/** Rows per read. A long read would keep a running crawl from emptying its write-ahead log. */
const BATCH_ROWS = 1_000

/** Progress of a crawl as of its last commit. */
export interface StateReport {
  /** `interrupted` if the crawl is unfinished and no process runs it. */
  readonly progress: Ledger['progress'] | 'interrupted'
  readonly tally: Ledger['tally']
  /** Number of URLs in each state; empty states are left out. */
  readonly urls: Readonly<Record<string, number>>
  /** Number of known hosts. */
  readonly hosts: number
  /** Hosts with the most waiting URLs, longest queue first. */
  readonly queues: readonly { readonly host: string; readonly waiting: number }[]
  readonly seen: Ledger['seen']
  /** Bytes by file. */
  readonly files: Readonly<Record<string, number>>
}

const COUNTS = 'SELECT state, count(*) AS count FROM urls GROUP BY state ORDER BY state'
const QUEUES = `
  SELECT hosts.key AS host, waiting
  FROM (SELECT host AS id, count(*) AS waiting FROM urls WHERE state = ${URL_STATE.ready}
        GROUP BY host ORDER BY waiting DESC LIMIT ${MAX_HOSTS})
  JOIN hosts USING (id) ORDER BY waiting DESC, host`

const QUEUE = `
  SELECT u.id, u.url, u.depth, page.url AS via, hosts.key AS host
  FROM urls AS u JOIN hosts ON hosts.id = u.host LEFT JOIN urls AS page ON page.id = u.via
  WHERE u.id > ? AND u.state IN (${URL_STATE.ready}, ${URL_STATE.inFlight}, ${URL_STATE.deferred})
  ORDER BY u.id LIMIT ${BATCH_ROWS}`

const EXPORTS = { visits: visitLines, queue: queueLines } as const

const countSchema = record({ state: oneOf(Object.values(URL_STATE), 'a state of a URL'), count })
const hostSchema = record({ host: text, waiting: count })
const queuedSchema = record({
  id: count,
  url: httpUrl,
  depth: count,
  via: nullable(httpUrl),
  host: text,
})

/**
 * Reads the report on a directory of `--state`, even while a crawl runs there.
 * @throws CrawlerError('state') when the directory has no state
 */
export function readStateReport(path: string): StateReport {
  return readState(path, ({ database, saved }) => {
    const { tally, seen } = saved.ledger
    const progress = progressOf(saved.ledger, path)
    const hosts = Number(database.prepare('SELECT count(*) AS hosts FROM hosts').get()?.['hosts'])
    const queues = database
      .prepare(QUEUES)
      .all()
      .map((row) => parseStored(hostSchema, row, 'hosts'))
    return { progress, tally, urls: urlsIn(database), hosts, queues, seen, files: filesIn(path) }
  })
}

/**
 * Yields all visits, or all unfinished URLs, as lines of JSON, in the order of discovery.
 * @throws CrawlerError('state') when the directory has no state
 */
export function exportState(path: string, what: keyof typeof EXPORTS): Generator<string> {
  return iterateState(path, ({ database }) => joinLines(EXPORTS[what](database)))
}

/** Joins lines into longer texts, since each write has a cost. */
function* joinLines(lines: Iterable<string>): Generator<string> {
  let some: string[] = []
  for (const line of lines) {
    some.push(line)
    if (some.length < BATCH_ROWS) continue
    yield some.join('')
    some = []
  }
  yield some.join('')
}

function* visitLines(database: DatabaseSync): Generator<string> {
  for (const { url, status, error, bytes, depth, via, at } of visitRows(database)) {
    const time = new Date(at).toISOString()
    yield encodePresent({ url, status, error, bytes, depth, via, time })
  }
}

function* queueLines(database: DatabaseSync): Generator<string> {
  const next = database.prepare(QUEUE)
  for (let last = 0; ; ) {
    const rows = next.all(last).map((row) => parseStored(queuedSchema, row, 'urls'))
    if (rows.length === 0) return
    for (const { id, ...row } of rows) {
      last = id
      yield encodePresent(row)
    }
  }
}

function progressOf({ progress }: Ledger, path: string): StateReport['progress'] {
  return progress === 'running' && !isInUse(path) ? 'interrupted' : progress
}

/** Encodes a row without its null values. Records of visits lack absent values, too. */
function encodePresent(row: Readonly<Record<string, unknown>>): string {
  return encodeLine(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))
}

function urlsIn(database: DatabaseSync): Record<string, number> {
  const names = new Map<number, string>(
    Object.entries(URL_STATE).map(([name, state]) => [state, name]),
  )
  const rows = database.prepare(COUNTS).all()
  return Object.fromEntries(
    rows.map((row) => {
      const { state, count } = parseStored(countSchema, row, 'urls')
      return [names.get(state) ?? state, count]
    }),
  )
}

function filesIn(path: string): Record<string, number> {
  const files = readdirSync(path).map((name) => [
    name,
    statSync(join(path, name), { throwIfNoEntry: false })?.size ?? 0,
  ])
  return Object.fromEntries(files)
}
