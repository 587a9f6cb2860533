import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { STATE } from '../../frontier/urls/tables.ts'
import type { Ledger } from '../../state/ledger.ts'
import { isInUse, openState } from '../../state/state-directory.ts'
import { encodeLine } from '../../wire/json-line.ts'

/** Hosts that are named. */
const TOP_HOSTS = 10
/** Rows read at a time: a long read would keep the write-ahead log from being emptied. */
const BATCH = 1_000

/** How far a crawl has come, as of its last commit. */
interface StateReport {
  /** `interrupted` where no process goes on with what was not brought to an end. */
  readonly progress: Ledger['progress'] | 'interrupted'
  readonly tally: Ledger['tally']
  /** How many URLs are in each state; those without any are left out. */
  readonly urls: Readonly<Record<string, number>>
  /** How many were met. */
  readonly hosts: number
  /** Those with the most URLs waiting, the most first. */
  readonly queues: readonly { readonly host: string; readonly waiting: number }[]
  readonly seen: Ledger['seen']
  /** Bytes by file. */
  readonly files: Readonly<Record<string, number>>
}

const COUNTS = 'SELECT state, count(*) AS count FROM urls GROUP BY state ORDER BY state'
const QUEUES = `
  SELECT hosts.key AS host, waiting
  FROM (SELECT host AS id, count(*) AS waiting FROM urls WHERE state = ${STATE.ready}
        GROUP BY host ORDER BY waiting DESC LIMIT ${TOP_HOSTS})
  JOIN hosts USING (id) ORDER BY waiting DESC, host`

const EXPORTS = {
  visits: `
    SELECT u.id, u.url, v.status, v.error, v.bytes, u.depth, page.url AS via, v.at AS time
    FROM visits AS v JOIN urls AS u ON u.id = v.url LEFT JOIN urls AS page ON page.id = u.via
    WHERE v.url > ? ORDER BY v.url LIMIT ${BATCH}`,
  queue: `
    SELECT u.id, u.url, u.depth, page.url AS via, hosts.key AS host
    FROM urls AS u JOIN hosts ON hosts.id = u.host LEFT JOIN urls AS page ON page.id = u.via
    WHERE u.id > ? AND u.state IN (${STATE.ready}, ${STATE.inFlight}, ${STATE.deferred})
    ORDER BY u.id LIMIT ${BATCH}`,
} as const

/**
 * Looks at a directory of `--state`, also while a crawl goes on there.
 * @throws CrawlerError('state') when it is none
 */
export function reportOn(path: string): StateReport {
  const { database, saved } = openState(path)
  try {
    const { tally, seen } = saved.ledger
    const progress = progressOf(saved.ledger, path)
    const hosts = Number(database.prepare('SELECT count(*) AS hosts FROM hosts').get()?.['hosts'])
    const queues = database.prepare(QUEUES).all() as unknown as StateReport['queues']
    return { progress, tally, urls: urlsIn(database), hosts, queues, seen, files: filesIn(path) }
  } finally {
    database.close()
  }
}

/**
 * All visits, or all that is not finished, as lines of JSON, in the order of discovery.
 * @throws CrawlerError('state') when the directory is none of `--state`
 */
export function* exportedFrom(path: string, what: keyof typeof EXPORTS): Generator<string> {
  const { database } = openState(path)
  try {
    const next = database.prepare(EXPORTS[what])
    for (let last = 0; ; ) {
      const rows = next.all(last)
      if (rows.length === 0) return
      last = Number(rows.at(-1)?.['id'])
      yield rows.map(encodeRow).join('')
    }
  } finally {
    database.close()
  }
}

function progressOf({ progress }: Ledger, path: string): StateReport['progress'] {
  return progress === 'running' && !isInUse(path) ? 'interrupted' : progress
}

/** What has no value is left out, as in visits. */
function encodeRow({ id: _, time, ...row }: Record<string, unknown>): string {
  const present = Object.entries(row).filter(([, value]) => value !== null)
  const at = time === undefined ? {} : { time: new Date(Number(time)).toISOString() }
  return encodeLine({ ...Object.fromEntries(present), ...at })
}

function urlsIn(database: DatabaseSync): Record<string, number> {
  const names = new Map<unknown, string>(
    Object.entries(STATE).map(([name, state]) => [state, name]),
  )
  const rows = database.prepare(COUNTS).all()
  return Object.fromEntries(rows.map(({ state, count }) => [names.get(state), Number(count)]))
}

function filesIn(path: string): Record<string, number> {
  const files = readdirSync(path).map((name) => [
    name,
    statSync(join(path, name), { throwIfNoEntry: false })?.size ?? 0,
  ])
  return Object.fromEntries(files)
}
