import type { Config } from '../../config/schema.ts'
import { testsSeenLate } from '../../duplicates/duplicate-detector.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import { needsExchanges, needsOutlinks } from '../../output/format-of.ts'
import { savesMemory } from '../../runtime/v8-limits.ts'
import type { CrawlState } from '../crawl-state.ts'

/** Workers send what nobody else reads. */
function revealSecrets({ headers, proxy }: Pick<Config, 'headers' | 'proxy'>) {
  const texts = Object.entries(headers).map(([name, value]) => [name, value.reveal()])
  return { headers: Object.fromEntries(texts), proxy: proxy?.reveal() }
}

/** Returns what a worker that starts now is told, beside its number, that of its thread and its log. */
export function workerSetup(state: CrawlState): Omit<WorkerSetup, 'worker' | 'owner' | 'claims'> {
  const { bodies, config, cookies, directory, linkGraph, memory, scope, seeds } = state
  return {
    ...config,
    ...memory.shared,
    ...scope.setup,
    ...seeds.setup,
    ...revealSecrets(config),
    cookies: cookies?.lines,
    claimsLate: testsSeenLate(config),
    archives: needsExchanges(config),
    bodies,
    tellOutlinks: needsOutlinks(config),
    linkGraph,
    tellSkipped: config.skipped !== undefined,
    digests: directory !== undefined,
    savesMemory: savesMemory(config.workers),
  }
}
