import type { CookieJar } from '../../cookies/cookie-jar.ts'
import type { CrawlProgress, Ledger, SnapshotRef } from '../../state/ledger.ts'
import type { RenderLearning } from '../rendering/render-learning.ts'
import type { RenderTally } from '../rendering/render-tally.ts'
import type { CrawlScope } from '../seeds/crawl-scope.ts'
import type { SeedTracker } from '../seeds/seed-tracker.ts'
import type { GivenUpHosts } from '../stats/given-up-hosts.ts'
import type { RunningTotals } from '../stats/running-totals.ts'
import type { SkipLog } from '../stats/skip-log.ts'
import type { SharedMemory } from '../worker-pool/shared-memory.ts'

/** The parts of a crawl whose state is stored in the ledger. */
export interface LedgerParts {
  readonly cookies: CookieJar | undefined
  /** Set with `--cookies file`. */
  readonly cookieFile: { readonly digest: string } | undefined
  readonly givenUp: GivenUpHosts
  readonly memory: Pick<SharedMemory, 'counters' | 'raiseDeepest' | 'seenStats'>
  /** Undefined without `--render`. */
  readonly learning: RenderLearning | undefined
  /** Undefined without `--render`. */
  readonly renderTally: RenderTally | undefined
  readonly scope: CrawlScope
  readonly seeds: SeedTracker
  readonly skips: SkipLog
  readonly tally: RunningTotals
}

/** Returns the state of a crawl without its URLs and hosts, in the form in which it is stored. */
export function takeLedger(
  { cookieFile, cookies, givenUp, learning, memory, scope, ...others }: LedgerParts,
  progress: CrawlProgress,
  positions: Ledger['positions'],
  snapshot: SnapshotRef | undefined,
): Ledger {
  const { renderTally, seeds, skips, tally } = others
  return {
    progress,
    positions,
    tally: tally.saved,
    seeds: seeds.saved,
    widened: scope.setup.widened,
    deepest: memory.counters.deepest,
    counters: memory.counters.saved,
    skips: [...skips.counts],
    givenUp: givenUp.saved,
    cookies: cookies?.lines ?? [],
    ...(cookieFile !== undefined && { cookieFile: cookieFile.digest }),
    seen: memory.seenStats,
    ...(learning && renderTally && { rendering: { ...renderTally.saved, ...learning.saved } }),
    ...(snapshot !== undefined && { snapshot }),
  }
}

/** Restores the state of an earlier run. Must be called before workers start. */
export function restoreLedger(
  { cookieFile, cookies, givenUp, learning, memory, scope, ...others }: LedgerParts,
  ledger: Ledger,
): void {
  const { renderTally, seeds, skips, tally } = others
  tally.restore(ledger.tally)
  seeds.restore(ledger.seeds)
  for (const url of ledger.widened) scope.widen(url)
  memory.raiseDeepest(ledger.deepest)
  memory.counters.restore(ledger.counters)
  skips.restore(ledger.skips)
  givenUp.restore(ledger.givenUp)
  if (ledger.rendering !== undefined) {
    learning?.restore(ledger.rendering)
    renderTally?.restore(ledger.rendering)
  }
  // If the user has replaced the cookie file, its cookies replace the stored ones.
  const known = ledger.cookieFile ?? cookieFile?.digest
  const isReplaced = cookieFile !== undefined && cookieFile.digest !== known
  if (!isReplaced) for (const line of ledger.cookies) cookies?.add(line)
}
