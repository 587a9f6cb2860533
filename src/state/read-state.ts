import type { DatabaseSync } from 'node:sqlite'
import { CrawlerError, type FailureKind } from '../errors.ts'
import { type CrawlTable, readCrawlTable } from './crawl-table.ts'
import { stateError } from './explain-state-error.ts'
import { hasCrawl, isState, openToRead } from './state-database.ts'

/** A state opened for reading. */
interface OpenState extends CrawlTable {
  readonly database: DatabaseSync
}

/**
 * Calls `read` with the state in a directory, and returns its result. A crawl may run there.
 * @param none kind of the error if there is no state
 * @throws CrawlerError('state') when another version wrote it, or it is damaged
 */
export function readState<T>(
  path: string,
  read: (state: OpenState) => T,
  none: FailureKind = 'state',
): T {
  try {
    const state = open(path, none)
    try {
      return read(state)
    } finally {
      state.database.close()
    }
  } catch (error) {
    throw stateError(path, error, 'read')
  }
}

/** Calls `read` with the state in a directory, like `readState`, and yields its results one by one. */
export function* iterateState<T>(
  path: string,
  read: (state: OpenState) => Iterable<T>,
  none: FailureKind = 'state',
): Generator<T> {
  try {
    const state = open(path, none)
    try {
      yield* read(state)
    } finally {
      state.database.close()
    }
  } catch (error) {
    throw stateError(path, error, 'read')
  }
}

function open(path: string, none: FailureKind): OpenState {
  if (!isState(path)) throw noStateError(path, none)
  const database = openToRead(path)
  try {
    const kept = hasCrawl(database) ? readCrawlTable(database) : undefined
    if (kept === undefined) throw noStateError(path, none)
    return { ...kept, database }
  } catch (error) {
    database.close()
    throw error
  }
}

function noStateError(path: string, kind: FailureKind): CrawlerError {
  return new CrawlerError(kind, `${path}: expected the state of a crawl, got none`)
}
