import type { TextSource } from '../compressed-files/open-text.ts'
import { isDirectory } from '../output/file-identity.ts'
import { isOwnFile } from '../state/own-files.ts'
import { iterateState, readState } from '../state/read-state.ts'
import { type VisitRow, visitRows } from '../state/read-visit-rows.ts'
import type { RecordedVisit } from './read-visits.ts'

/**
 * The kind of error if there is no state. Here the directory is an argument of a command, so a
 * wrong directory is a usage error.
 */
const MISSING_STATE = 'usage'

/** Returns whether a source of visits is a directory of `--state`. */
export function isStateDirectory(source: TextSource): source is string {
  return typeof source === 'string' && isDirectory(source)
}

/**
 * Yields the visits in a directory of `--state`, even while a crawl runs there. The visits lack
 * titles, types, durations and targets of redirects.
 * @throws CrawlerError('usage') when the directory contains no state, 'state' when the state is damaged
 */
export function* readStateVisits(path: string): Generator<RecordedVisit> {
  for (const row of iterateState(path, ({ database }) => visitRows(database), MISSING_STATE)) {
    yield visitOf(row)
  }
}

/**
 * Returns the file of `--links`; undefined if it is not the file that the crawl wrote. The state of a stranger may name
 * any file.
 * @throws CrawlerError as `readStateVisits`
 */
export function linksFileOfState(path: string): string | undefined {
  const { settings, ledger } = readState(path, ({ saved }) => saved, MISSING_STATE)
  const { links } = settings
  return typeof links === 'string' && isOwnFile(ledger, links) ? links : undefined
}

function visitOf({
  url,
  status,
  error,
  bytes,
  digest,
  depth,
  via,
  hop,
  at,
}: VisitRow): RecordedVisit {
  return {
    ...{ url, depth, hop, time: new Date(at).toISOString() },
    ...(status !== null && { status }),
    ...(error !== null && { error }),
    ...(bytes !== null && { bytes }),
    ...(digest !== null && { hash: digest }),
    ...(via !== null && { via }),
  }
}
