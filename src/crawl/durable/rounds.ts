import type { Config } from '../../config/schema.ts'
import type { Ledger } from '../../state/ledger.ts'
import type { StateDirectory } from '../../state/state-directory.ts'
import { VisitStore } from '../../state/visit-store.ts'
import type { CrawlState } from '../crawl-state.ts'
import { leadsFurther, rereads } from './forced.ts'

/** Visits to be made again. */
interface Due {
  /** When they were made at the latest, in milliseconds since 1970. */
  readonly time: number
  readonly count: number
}

/** Whether nothing is left to do of what an earlier run began: it came to its end, or to its limit. */
function isRoundOver({ progress, tally }: Ledger, { maxPages }: Config): boolean {
  if (progress !== 'max-pages') return progress === 'finished'
  return maxPages !== undefined && tally.visits - tally.visitsBefore >= maxPages
}

/** How many visits were made so long ago, or longer, that they are to be made again. */
function dueIn(visits: VisitStore, { revisitAfter }: Config): Due | undefined {
  if (revisitAfter === undefined) return undefined
  const time = Date.now() - revisitAfter
  const count = visits.dueAt(time)
  return count > 0 ? { time, count } : undefined
}

/** Tells a user whose settings are not those that a crawl began with what may be done. */
export function adviceOn(directory: StateDirectory, config: Config): string {
  if (isAtEnd(directory, { ...config, force: true })) {
    return 'it is finished, and --force would change nothing: another --state begins a crawl of its own'
  }
  const again = rereads(directory, config) ? ', and reads pages again whose links lead further' : ''
  return `--force goes on with the settings of now${again}`
}

/** Whether the crawl of a directory is finished, and nothing of it is to be visited again. */
export function isAtEnd(directory: StateDirectory, config: Config): boolean {
  const { database, saved } = directory
  if (saved?.ledger.progress !== 'finished') return false
  if (config.force && leadsFurther(directory, config)) return false
  return dueIn(new VisitStore(database), config) === undefined
}

/**
 * Lets the URLs wait again whose last visit is as old as `--revisit-after` says, once the round before
 * is over. Their last visits are what the new ones are compared with.
 * @returns how many there are; 0 when there is no new round
 */
export function beginRound({ config, directory, frontier, visits }: CrawlState): number {
  const ledger = directory?.saved?.ledger
  if (visits === undefined || ledger === undefined || !isRoundOver(ledger, config)) return 0
  const due = dueIn(visits, config)
  if (due === undefined) return 0
  frontier.archive.revisit(due.time)
  return due.count
}
