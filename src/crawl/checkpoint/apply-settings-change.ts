import type { Config } from '../../config/schema.ts'
import type { RescannedPages, SettingsChange } from '../../config/settings-change.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import type { RereadScope, WaitingUrl } from '../../frontier/storage/stored-url.ts'
import type { Skip, SkipReason } from '../../records/skip.ts'
import type { CrawlScope } from '../seeds/crawl-scope.ts'
import type { SeedTracker } from '../seeds/seed-tracker.ts'
import type { SkipLog } from '../stats/skip-log.ts'

export interface ChangedCrawl {
  readonly config: Config
  readonly frontier: Pick<Frontier, 'stored'>
  readonly scope: CrawlScope
  readonly seeds: SeedTracker
  readonly skips: SkipLog
}

/**
 * Applies the settings of this run to a crawl, as if it had begun with them. Reconsiders URLs beyond a limit that is
 * higher now. If other URLs belong to the crawl, has pages read again that may lead to them, and reconsiders other
 * skipped URLs. Drops URLs that don't belong to the crawl any more from the queue, also if a new round has put them
 * there. Must be called before the frontier resumes.
 */
export async function applySettingsChange(
  change: SettingsChange,
  crawl: ChangedCrawl,
  isNewRound: boolean,
): Promise<void> {
  const { changesUrls, raisesHostLimit } = change
  if (raisesHostLimit) crawl.frontier.stored.reconsiderSkipped(-1)
  if (changesUrls) queueRescanned(change, crawl)
  if (!isNewRound && !raisesHostLimit && !changesUrls) return
  // Without a change of URLs, they were listed as skipped when they were dropped for the first time.
  await crawl.skips.addAll(dropUnwanted(crawl, changesUrls))
}

/** Puts pages and skipped URLs back into the queue that may lead further. */
function queueRescanned(
  { rescanned, depthBefore }: SettingsChange,
  { frontier, scope }: ChangedCrawl,
): void {
  if (rescanned.size > 0) frontier.stored.adoptExternal((url) => scope.contains(url))
  for (const pages of rescanned) {
    if (pages !== 'none') frontier.stored.reread(rereadScope(pages, depthBefore))
    frontier.stored.reconsiderSkipped(pages === 'of-the-deepest' ? depthBefore : -1)
  }
}

function rereadScope(pages: Exclude<RescannedPages, 'none'>, depthBefore: number): RereadScope {
  if (pages === 'of-the-deepest') return { fromDepth: depthBefore }
  return pages === 'all' ? 'all' : 'seeds'
}

/** Drops URLs that are not in the crawl any more. Yields those that count as skipped, if they are to be listed. */
function* dropUnwanted(crawl: ChangedCrawl, isListed: boolean): Generator<Skip> {
  const { stored } = crawl.frontier
  const unwanted = stored.dropUnwanted((url) => reasonAgainst(url, crawl) === undefined)
  for (const each of unwanted) {
    const reason = reasonAgainst(each, crawl)
    if (!isListed || reason === undefined || reason === 'not-requested') continue
    const { url, depth, via } = each
    yield { url, depth, reason, ...(via !== null && { via }) }
  }
}

function reasonAgainst(
  { url, depth, hop, via }: WaitingUrl,
  { config, scope, seeds }: ChangedCrawl,
): SkipReason | 'not-requested' | undefined {
  if (seeds.has(url)) return undefined
  if (depth > config.depth) return 'depth'
  // Sitemaps that robots.txt names may be on any host.
  if (hop === 'sitemap' && via === null) return config.sitemaps ? undefined : 'not-requested'
  if (hop === 'asset' && !config.assets) return 'not-requested'
  const reason = scope.whyNot(url)
  const mayBeOutside =
    (config.external && (hop === 'external' || hop === 'redirect')) ||
    (config.externalAssets && (hop === 'asset' || hop === 'redirect'))
  if (!mayBeOutside || reason !== 'out-of-scope') return reason
  return scope.excludes(url) ? 'excluded' : undefined
}
