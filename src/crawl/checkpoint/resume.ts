import { setImmediate as turn } from 'node:timers/promises'
import type { SnapshotRef } from '../../state/ledger.ts'
import type { CrawlState } from '../crawl-state.ts'
import { applyNewSettings } from './forced-resume.ts'
import { beginRevisitRound } from './revisit-rounds.ts'
import { snapshotPath } from './seen-snapshot.ts'

/** URLs that are put to the seen set at a time. */
const BATCH = 10_000

/**
 * Goes on where an earlier run stood: the books, and the seen set.
 * @returns false when `isStopped` said so before all was done: then nothing has changed
 */
export async function resume(state: CrawlState, isStopped: () => boolean): Promise<boolean> {
  const { frontier, givenUp, logger, memory, seeds, tally } = state
  const due = beginRevisitRound(state)
  await applyNewSettings(state)
  const recalled = frontier.snapshot.resume()
  const snapshot = readSnapshot(state)
  for (let last = snapshot?.lastUrl ?? 0; ; ) {
    const batch = frontier.snapshot.urlsSince(last, BATCH)
    if (batch.urls.length === 0) break
    memory.addIfNew(batch.urls)
    await turn()
    if (isStopped()) return false
    last = batch.last
  }
  // The snapshot may know links that nobody told of, as after the death of a worker: those of pages
  // that were in flight, which need not name them again.
  if (snapshot !== undefined && recalled > 0) memory.raiseDeepest(Number.MAX_SAFE_INTEGER)
  if (due > 0) {
    for (const each of [tally, seeds, givenUp]) each.beginRound()
    logger.info({ round: tally.round, due }, `Round ${tally.round}: ${due} URLs are due`)
    return true
  }
  const { rereadCount: rereads } = frontier.snapshot
  const counts = { visits: tally.visits, queued: frontier.waiting, rereads }
  const again = rereads === 0 ? '' : `, ${rereads} of them to be read again for their links`
  logger.info(
    counts,
    `Resumed: ${counts.visits} pages are done, ${counts.queued} are queued${again}`,
  )
  return true
}

/** Fills the seen set; undefined when it has to be made from the database. */
function readSnapshot(state: CrawlState): SnapshotRef | undefined {
  const { config, directory, logger, memory } = state
  const snapshot = directory?.saved?.ledger.snapshot
  if (directory === undefined || snapshot === undefined || config.force) return undefined
  const file = snapshotPath(directory.path, snapshot)
  if (memory.read(file, snapshot.checksum)) return snapshot
  logger.warn(`${file}: is damaged; the seen set is made from the database`)
  return undefined
}
