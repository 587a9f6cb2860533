import type { CrawlProgress, Ledger, SnapshotRef } from '../../state/ledger.ts'
import type { CrawlState } from '../crawl-state.ts'

/** What the crawl knows beside its URLs and hosts, in the form in which it is kept. */
export function takeLedger(
  { config, cookies, givenUp, memory, scope, seeds, skips, tally }: CrawlState,
  progress: CrawlProgress,
  positions: Ledger['positions'],
  snapshot: SnapshotRef | undefined,
): Ledger {
  return {
    progress,
    positions,
    tally: tally.saved,
    seeds: seeds.saved,
    widened: scope.setup.widened,
    deepest: memory.counters.deepest,
    counters: memory.counters.saved(config.workers),
    skips: [...skips.counts],
    givenUp: givenUp.saved,
    cookies: cookies?.lines ?? [],
    seen: memory.seenStats,
    ...(snapshot !== undefined && { snapshot }),
  }
}

/** Brings back what is told to workers when they start, and totals. */
export function restoreLedger(
  { config, cookies, givenUp, memory, scope, seeds, skips, tally }: CrawlState,
  ledger: Ledger,
): void {
  tally.restore(ledger.tally)
  seeds.restore(ledger.seeds)
  for (const url of ledger.widened) scope.widen(url)
  memory.counters.deepest = ledger.deepest
  memory.counters.restore(ledger.counters, config.workers)
  skips.restore(ledger.skips)
  givenUp.restore(ledger.givenUp)
  for (const line of ledger.cookies) cookies?.add(line)
}
