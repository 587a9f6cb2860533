import { existsSync } from 'node:fs'
import { CrawlerError } from '../errors.ts'
import { openState } from '../state/state-directory.ts'
import type { RecordedVisit } from './read-visits.ts'

/** Rows read at a time: a long read would keep the write-ahead log from being emptied. */
const BATCH = 1_000

const VISITS = `
  SELECT u.id, u.url, v.status, v.error, v.bytes, u.depth, page.url AS via, u.hop, v.at
  FROM visits AS v JOIN urls AS u ON u.id = v.url LEFT JOIN urls AS page ON page.id = u.via
  WHERE v.url > ? ORDER BY v.url LIMIT ${BATCH}`

/**
 * The visits that a directory of `--state` holds, one at a time, also while a crawl goes on there. They
 * have no titles, types and times taken, and don't say where a redirect leads.
 * @throws CrawlerError('usage') when it holds no state
 */
export function* readStateVisits(path: string): Generator<RecordedVisit> {
  const { database } = opened(path)
  try {
    const next = database.prepare(VISITS)
    for (let last = 0; ; ) {
      const rows = next.all(last)
      if (rows.length === 0) return
      last = Number(rows.at(-1)?.['id'])
      yield* rows.map(visitOf)
    }
  } finally {
    database.close()
  }
}

/**
 * The file of `--links` that the crawl wrote, where it is still there.
 * @throws CrawlerError('usage') when the directory holds no state
 */
export function linksOfState(path: string): string | undefined {
  const { database, saved } = opened(path)
  database.close()
  const { links } = saved.settings
  return typeof links === 'string' && existsSync(links) ? links : undefined
}

/** What is asked for is named on the command line: another exit code than that of a crawl's own state. */
function opened(path: string): ReturnType<typeof openState> {
  try {
    return openState(path)
  } catch (error) {
    if (!(error instanceof CrawlerError)) throw error
    throw new CrawlerError('usage', error.message, { cause: error })
  }
}

function visitOf({ id: _, at, ...row }: Record<string, unknown>): RecordedVisit {
  const present = Object.entries(row).filter(([, value]) => value !== null)
  const time = new Date(Number(at)).toISOString()
  return { ...(Object.fromEntries(present) as unknown as RecordedVisit), time }
}
