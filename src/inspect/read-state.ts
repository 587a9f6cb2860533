import { existsSync } from 'node:fs'
import { readState, readStateSlowly } from '../state/read-state.ts'
import { type VisitRow, visitRows } from '../state/visit-rows.ts'
import type { RecordedVisit } from './read-visits.ts'

/** What is asked for is named on the command line: another exit code than that of a crawl's own state. */
const NONE = 'usage'

/**
 * The visits that a directory of `--state` holds, one at a time, also while a crawl goes on there. They
 * have no titles, types and times taken, and don't say where a redirect leads.
 * @throws CrawlerError('usage') when it holds no state, 'state' when that is damaged
 */
export function* readStateVisits(path: string): Generator<RecordedVisit> {
  for (const row of readStateSlowly(path, ({ database }) => visitRows(database), NONE)) {
    yield visitOf(row)
  }
}

/**
 * The file of `--links` that the crawl wrote, where it is still there.
 * @throws CrawlerError as `readStateVisits`
 */
export function linksOfState(path: string): string | undefined {
  const { links } = readState(path, ({ saved }) => saved.settings, NONE)
  return typeof links === 'string' && existsSync(links) ? links : undefined
}

function visitOf({ url, status, error, bytes, depth, via, hop, at }: VisitRow): RecordedVisit {
  return {
    ...{ url, depth, hop, time: new Date(at).toISOString() },
    ...(status !== null && { status }),
    ...(error !== null && { error }),
    ...(bytes !== null && { bytes }),
    ...(via !== null && { via }),
  }
}
