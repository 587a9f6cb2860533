import type { DatabaseSync } from 'node:sqlite'
import type { Config } from '../../config/schema.ts'
import { compareSettings } from '../../config/settings-change.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import { FailedUrls } from '../../frontier/storage/failed-urls.ts'
import type { Ledger, SavedCrawl } from '../../state/ledger.ts'
import type { StateDirectory } from '../../state/state-directory.ts'
import { VisitStore } from '../../state/visit-store.ts'

type RoundSettings = Pick<Config, 'maxPages' | 'retryFailed' | 'retryStatus' | 'revisitAfter'>

interface RevisitParts {
  readonly config: RoundSettings
  readonly directory: Pick<StateDirectory, 'database'>
  readonly frontier: Pick<Frontier, 'stored'>
}

/** URLs to visit again. */
interface Due {
  /** Latest time of a visit to repeat, in milliseconds since 1970; undefined without `--revisit-after`. */
  readonly time: number | undefined
  readonly count: number
}

/** Returns true if an earlier run has finished its round, or has reached `--max-pages`. */
function isRoundOver({ progress, tally }: Ledger, { maxPages }: RoundSettings): boolean {
  if (progress !== 'max-pages') return progress === 'finished'
  return maxPages !== undefined && tally.visits - tally.visitsBefore >= maxPages
}

/** Returns the number of old visits and of those that failed for a transient reason; undefined if there are none. */
function findDue(
  database: DatabaseSync,
  { revisitAfter, retryFailed, retryStatus }: RoundSettings,
): Due | undefined {
  const time = revisitAfter === undefined ? undefined : Date.now() - revisitAfter
  const old = time === undefined ? 0 : new VisitStore(database).countDue(time)
  const failed = retryFailed ? new FailedUrls(database, retryStatus).count(time) : 0
  return old + failed > 0 ? { time, count: old + failed } : undefined
}

/** Returns advice for a user whose settings differ from those that a crawl began with. */
export function resumeAdvice(directory: StateDirectory, saved: SavedCrawl, config: Config): string {
  if (config.skipped !== undefined && saved.settings['skipped'] === undefined) {
    return 'earlier runs kept no list of skipped URLs: crawl again without --state, or with another one, and with another -o'
  }
  const forced = { ...config, force: true }
  if (hasNothingLeft(directory, forced)) {
    return 'it is finished, and --force would only change its later rounds: another --state begins a new crawl'
  }
  const { rescanned } = compareSettings(saved.settings, forced)
  const readsAgain = [...rescanned].some((pages) => pages !== 'none')
  const again = readsAgain ? ', and reads pages again whose links lead further' : ''
  return `--force continues with the current settings${again}`
}

/** Sets visits that are in the future back to now, before a new round may begin: the clock was changed since. */
export function correctVisitTimes(directory: StateDirectory): void {
  const { database, saved } = directory
  const progress = saved?.ledger.progress
  if (saved === undefined || (progress !== 'finished' && progress !== 'max-pages')) return
  if (new VisitStore(database).clampTimes(Date.now())) directory.commit(saved.ledger)
}

/** Returns true if the crawl of a directory is finished, and no URL is due for another visit. */
export function hasNothingLeft(directory: StateDirectory, config: Config): boolean {
  const { database, saved } = directory
  if (saved?.ledger.progress !== 'finished') return false
  const { raisesHostLimit, rescanned } = compareSettings(saved.settings, config)
  if (raisesHostLimit || rescanned.size > 0) return false
  return findDue(database, config) === undefined
}

/** Returns the number of URLs that `--retry-failed` would visit again. */
export function countFailed(
  { database }: StateDirectory,
  { retryStatus }: Pick<Config, 'retryStatus'>,
): number {
  return new FailedUrls(database, retryStatus).count()
}

/**
 * Begins a new round once the last one is over: puts old visits back into the queue (`--revisit-after`), and those that
 * failed for a transient reason (`--retry-failed`).
 * @returns the number of URLs; 0 if there is no new round
 */
export function beginRevisitRound(
  { config, directory, frontier }: RevisitParts,
  { ledger }: SavedCrawl,
): number {
  if (!isRoundOver(ledger, config)) return 0
  const due = findDue(directory.database, config)
  if (due === undefined) return 0
  if (config.retryFailed) frontier.stored.retryFailed(config.retryStatus)
  if (due.time !== undefined) frontier.stored.revisit(due.time)
  return due.count
}
