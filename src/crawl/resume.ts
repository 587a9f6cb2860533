import { join } from 'node:path'
import type { Ledger } from '../state/ledger.ts'
import type { CrawlState } from './crawl-state.ts'
import { restore } from './ledger-of.ts'

/** URLs that are put to the seen set at a time. */
const BATCH = 1_000

/** Goes on where an earlier run stood: books, totals, and the seen set. */
export async function resume(state: CrawlState, path: string, ledger: Ledger): Promise<void> {
  restore(state, ledger)
  await refill(state, path, ledger)
  const { frontier, logger, tally } = state
  const counts = { visits: tally.visits, queued: frontier.waiting }
  logger.info(counts, `Resumed: ${counts.visits} pages are done, ${counts.queued} are queued`)
}

/** The seen set comes from its snapshot, and what was added since from the database. */
async function refill(state: CrawlState, path: string, { snapshot }: Ledger): Promise<void> {
  const { config, frontier, logger, memory } = state
  const mayRead = snapshot !== undefined && !config.force
  const isRead = mayRead && memory.read(join(path, snapshot.file), snapshot.checksum)
  if (mayRead && !isRead) {
    logger.warn(`${join(path, snapshot.file)}: is damaged; the seen set is made from the database`)
  }
  let batch: string[] = []
  for (const url of frontier.archive.urlsSince(isRead ? snapshot.lastUrl : 0)) {
    if (batch.push(url) < BATCH) continue
    await memory.addIfNew(batch)
    batch = []
  }
  await memory.addIfNew(batch)
}
