import { setImmediate as turn } from 'node:timers/promises'
import type { Config } from '../../config/schema.ts'
import { compareSettings } from '../../config/settings-change.ts'
import { countOf, formatCount } from '../../english-text.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import type { Logger } from '../../logger.ts'
import { productToken } from '../../robots/product-token.ts'
import type { Ledger, SavedCrawl, SnapshotRef } from '../../state/ledger.ts'
import type { StateDirectory } from '../../state/state-directory.ts'
import type { GivenUpHosts } from '../stats/given-up-hosts.ts'
import { readTotals } from '../stats/read-stats.ts'
import type { RunningTotals } from '../stats/running-totals.ts'
import type { SharedMemory } from '../worker-pool/shared-memory.ts'
import { applySettingsChange, type ChangedCrawl } from './apply-settings-change.ts'
import { markSkipsCounted } from './mark-skips-counted.ts'
import { beginRevisitRound } from './revisit-rounds.ts'
import { snapshotPath } from './seen-snapshot.ts'

/** Number of URLs to add to the seen set at a time. */
const BATCH = 10_000

interface ResumeParts extends ChangedCrawl {
  readonly directory: StateDirectory
  readonly frontier: Pick<Frontier, 'stored' | 'waiting'>
  readonly givenUp: GivenUpHosts
  readonly logger: Logger
  readonly memory: SharedMemory
  readonly tally: RunningTotals
}

/**
 * Resumes an earlier run with the settings of this one: its frontier and its seen set.
 * @returns false if the signal was aborted meanwhile; then nothing is committed
 */
export async function resume(
  parts: ResumeParts,
  saved: SavedCrawl,
  signal: AbortSignal,
): Promise<boolean> {
  const { config, frontier, memory } = parts
  const totals = readTotals(parts)
  if (config.skipped !== undefined) await markSkipsCounted(config.skipped, memory, signal)
  if (signal.aborted) return false
  const change = compareSettings(saved.settings, config)
  // Dropped pages may belong to the crawl again, so they may be due.
  if (change.changesUrls) frontier.stored.forgetDropped()
  const due = beginRevisitRound(parts, saved)
  const isNewRound = due > 0
  if (isRenamed(saved.settings, config)) frontier.stored.forgetRobotsRules()
  await applySettingsChange(change, parts, isNewRound)
  const recalled = frontier.stored.resume()
  const snapshot = readSnapshot(parts, saved.ledger)
  await addSince(snapshot?.lastUrl ?? 0, parts, signal)
  if (signal.aborted) return false
  // The snapshot may contain links that pages in flight never reported. When such a page runs again, its worker takes
  // them for known links, which it reports only if a deeper page was handed out. So the greatest depth is set to one
  // that no page exceeds.
  if (snapshot !== undefined && recalled > 0) memory.raiseDeepest(Number.MAX_SAFE_INTEGER)
  if (isNewRound) beginRoundCounts(parts, totals, due)
  else logResumed(parts)
  return true
}

/**
 * Adds the URLs of the database to the seen set. Stops early if the signal is aborted.
 * @param lastUrl id of the last URL that the set has already
 */
async function addSince(
  lastUrl: number,
  { frontier, memory }: ResumeParts,
  signal: AbortSignal,
): Promise<void> {
  for (let last = lastUrl; !signal.aborted; ) {
    const batch = frontier.stored.urlsSince(last, BATCH)
    if (batch.urls.length === 0) return
    memory.addIfNew(batch.urls)
    last = batch.last
    await turn()
  }
}

/** Counts the new round from 0, and logs how many URLs it has. */
function beginRoundCounts(
  { givenUp, logger, seeds, tally }: ResumeParts,
  totals: ReturnType<typeof readTotals>,
  due: number,
): void {
  tally.beginRound(totals)
  seeds.beginRound()
  givenUp.beginRound()
  const { round } = tally
  logger.info({ round, due }, `Round ${round}: ${countOf(due, 'URL is', 'URLs are')} due`)
}

/** Returns whether robots.txt files have other rules for the crawler than in the last run, since its name has changed. */
function isRenamed({ userAgent: before }: SavedCrawl['settings'], { userAgent }: Config): boolean {
  return typeof before === 'string' && productToken(before) !== productToken(userAgent)
}

function logResumed({ frontier, logger, tally }: ResumeParts): void {
  const { rereadCount: rereads } = frontier.stored
  const { round, visits, visitsOfRound } = tally
  const counts = { visits, queued: frontier.waiting, rereads }
  const place = round === 1 ? '' : ` in round ${round}`
  const again =
    rereads === 0 ? '' : `, ${formatCount(rereads)} of them to be read again for their links`
  logger.info(
    counts,
    `Resumed${place}: ${countOf(visitsOfRound, 'page is', 'pages are')} done, ${formatCount(counts.queued)} queued${again}`,
  )
}

/** Reads the seen set from its snapshot. Returns undefined if it has to be rebuilt from the database. */
function readSnapshot(
  { config, directory, logger, memory }: ResumeParts,
  { snapshot }: Ledger,
): SnapshotRef | undefined {
  if (snapshot === undefined || config.force) return undefined
  const file = snapshotPath(directory.path, snapshot)
  if (memory.readSnapshot(file, snapshot.checksum)) return snapshot
  logger.warn(`${file}: is damaged; the seen set is made from the database`)
  return undefined
}
