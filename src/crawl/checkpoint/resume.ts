import { setImmediate as turn } from 'node:timers/promises'
import { countOf, formatCount } from '../../english-text.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import type { Logger } from '../../logger.ts'
import { productToken } from '../../robots/product-token.ts'
import type { SnapshotRef } from '../../state/ledger.ts'
import type { StateDirectory } from '../../state/state-directory.ts'
import type { GivenUpHosts } from '../stats/given-up-hosts.ts'
import { readTotals } from '../stats/read-stats.ts'
import type { RunningTotals } from '../stats/running-totals.ts'
import type { SharedMemory } from '../worker-pool/shared-memory.ts'
import { applyNewSettings, type ForcedResumeParts, reconsiderDropped } from './forced-resume.ts'
import { markSkipsCounted } from './mark-skips-counted.ts'
import { beginRevisitRound } from './revisit-rounds.ts'
import { snapshotPath } from './seen-snapshot.ts'

/** Number of URLs to add to the seen set at a time. */
const BATCH = 10_000

interface ResumeParts extends ForcedResumeParts {
  readonly directory: StateDirectory | undefined
  readonly frontier: Pick<Frontier, 'snapshot' | 'waiting'>
  readonly givenUp: GivenUpHosts
  readonly logger: Logger
  readonly memory: SharedMemory
  readonly tally: RunningTotals
}

/**
 * Resumes an earlier run: its frontier and its seen set.
 * @returns false if the signal was aborted meanwhile; then nothing is committed
 */
export async function resume(parts: ResumeParts, signal: AbortSignal): Promise<boolean> {
  const { config, frontier, givenUp, logger, memory, seeds, tally } = parts
  const totals = readTotals(parts)
  if (config.skipped !== undefined) await markSkipsCounted(config.skipped, memory, signal)
  if (signal.aborted) return false
  reconsiderDropped(parts)
  const due = beginRevisitRound(parts)
  if (isRenamed(parts)) frontier.snapshot.forgetRobotsRules()
  await applyNewSettings(parts, due > 0)
  const recalled = frontier.snapshot.resume()
  const snapshot = readSnapshot(parts)
  for (let last = snapshot?.lastUrl ?? 0; ; ) {
    const batch = frontier.snapshot.urlsSince(last, BATCH)
    if (batch.urls.length === 0) break
    memory.addIfNew(batch.urls)
    await turn()
    if (signal.aborted) return false
    last = batch.last
  }
  // The snapshot may contain links that pages in flight never reported. When such a page runs again, its worker takes
  // them for known links, which it reports only if a deeper page was handed out. So the greatest depth is set to one
  // that no page exceeds.
  if (snapshot !== undefined && recalled > 0) memory.raiseDeepest(Number.MAX_SAFE_INTEGER)
  if (due > 0) {
    tally.beginRound(totals)
    for (const each of [seeds, givenUp]) each.beginRound()
    logger.info(
      { round: tally.round, due },
      `Round ${tally.round}: ${countOf(due, 'URL is', 'URLs are')} due`,
    )
  } else logResumed(parts)
  return true
}

/** Returns whether robots.txt files have other rules for the crawler than in the last run, since its name has changed. */
function isRenamed({ config, directory }: ResumeParts): boolean {
  const before = directory?.saved?.settings['userAgent']
  return typeof before === 'string' && productToken(before) !== productToken(config.userAgent)
}

function logResumed({ frontier, logger, tally }: ResumeParts): void {
  const { rereadCount: rereads } = frontier.snapshot
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
function readSnapshot({ config, directory, logger, memory }: ResumeParts): SnapshotRef | undefined {
  const snapshot = directory?.saved?.ledger.snapshot
  if (directory === undefined || snapshot === undefined || config.force) return undefined
  const file = snapshotPath(directory.path, snapshot)
  if (memory.readSnapshot(file, snapshot.checksum)) return snapshot
  logger.warn(`${file}: is damaged; the seen set is made from the database`)
  return undefined
}
