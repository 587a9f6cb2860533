import type { DatabaseSync } from 'node:sqlite'
import type { Config } from '../../config/schema.ts'
import { FailedUrls } from '../../frontier/sqlite/failed-urls.ts'
import type { Ledger } from '../../state/ledger.ts'
import type { StateDirectory } from '../../state/state-directory.ts'
import { VisitStore } from '../../state/visit-store.ts'
import type { CrawlState } from '../crawl-state.ts'
import { needsRereads, widensCrawl } from './forced-resume.ts'

/** URLs to be visited again. */
interface Due {
  /** When they were visited at the latest, in milliseconds since 1970; undefined when their age is no reason. */
  readonly time: number | undefined
  readonly count: number
}

/** Whether nothing is left to do of what an earlier run began: it came to its end, or to its limit. */
function isRoundOver({ progress, tally }: Ledger, { maxPages }: Config): boolean {
  if (progress !== 'max-pages') return progress === 'finished'
  return maxPages !== undefined && tally.visits - tally.visitsBefore >= maxPages
}

/** What is to be visited again: what is old, or failed for a reason that may have passed. */
function findDue(database: DatabaseSync, { revisitAfter, retryFailed }: Config): Due | undefined {
  const time = revisitAfter === undefined ? undefined : Date.now() - revisitAfter
  const old = time === undefined ? 0 : new VisitStore(database).countDue(time)
  const failed = retryFailed ? new FailedUrls(database).count : 0
  return old + failed > 0 ? { time, count: old + failed } : undefined
}

/** Tells a user whose settings are not those that a crawl began with what may be done. */
export function resumeAdvice(directory: StateDirectory, config: Config): string {
  if (hasNothingLeft(directory, { ...config, force: true })) {
    return 'it is finished, and --force would change nothing: another --state begins a crawl of its own'
  }
  const again = needsRereads(directory, config)
    ? ', and reads pages again whose links lead further'
    : ''
  return `--force goes on with the settings of now${again}`
}

/** Whether the crawl of a directory is finished, and nothing of it is to be visited again. */
export function hasNothingLeft(directory: StateDirectory, config: Config): boolean {
  const { database, saved } = directory
  if (saved?.ledger.progress !== 'finished') return false
  if (config.force && widensCrawl(directory, config)) return false
  if (new VisitStore(database).clampTimes(Date.now())) directory.commit(saved.ledger)
  return findDue(database, config) === undefined
}

/** How many URLs of a crawl `--retry-failed` would visit again. */
export function countFailed({ database }: StateDirectory): number {
  return new FailedUrls(database).count
}

/**
 * Lets the URLs wait again whose last visit is as old as `--revisit-after` says, or failed for a reason that may have
 * passed, with `--retry-failed`, once the round before is over.
 * @returns how many there are; 0 when there is no new round
 */
export function beginRevisitRound({ config, directory, frontier }: CrawlState): number {
  const ledger = directory?.saved?.ledger
  if (directory === undefined || ledger === undefined || !isRoundOver(ledger, config)) return 0
  const due = findDue(directory.database, config)
  if (due === undefined) return 0
  if (config.retryFailed) frontier.snapshot.retryFailed()
  if (due.time !== undefined) frontier.snapshot.revisit(due.time)
  return due.count
}
