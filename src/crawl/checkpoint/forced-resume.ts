import { changedSettings, URL_SETTINGS } from '../../config/changed-settings.ts'
import type { Config } from '../../config/schema.ts'
import {
  type RescannedPages,
  raisesHostLimit,
  wideningChanges,
} from '../../config/widening-changes.ts'
import type { Frontier, RereadScope, WaitingUrl } from '../../frontier/frontier.ts'
import type { Skip, SkipReason } from '../../records/skip.ts'
import type { StateDirectory } from '../../state/state-directory.ts'
import type { CrawlScope } from '../seeds/crawl-scope.ts'
import type { SeedTracker } from '../seeds/seed-tracker.ts'
import type { SkipLog } from '../stats/skip-log.ts'

export interface ForcedResumeParts {
  readonly config: Config
  readonly directory: Pick<StateDirectory, 'saved'> | undefined
  readonly frontier: Pick<Frontier, 'snapshot'>
  readonly scope: CrawlScope
  readonly seeds: SeedTracker
  readonly skips: SkipLog
}

/** Returns true if a crawl would find more URLs with the new settings than with the stored ones. */
export function widensCrawl({ saved }: StateDirectory, config: Config): boolean {
  return saved !== undefined && wideningChanges(saved.settings, config).size > 0
}

/** Returns true if URLs beyond a limit of pages per host or domain may be visited now. */
export function allowsSkippedUrls({ saved }: StateDirectory, config: Config): boolean {
  return saved !== undefined && raisesHostLimit(saved.settings, config)
}

/** Returns the pages that may lead further with the new settings, and whether the crawl finds other URLs with them. */
function urlChanges(before: Readonly<Record<string, unknown>>, config: Config) {
  const further = wideningChanges(before, config)
  const isChanged = further.size > 0 || changedSettings(URL_SETTINGS, before, config).length > 0
  return { further, isChanged }
}

/** Lets pages be due again that no longer belonged to the crawl, if `--force` has changed the URLs of the crawl. */
export function reconsiderDropped({ config, directory, frontier }: ForcedResumeParts): void {
  const before = directory?.saved?.settings
  if (before === undefined || !config.force || !urlChanges(before, config).isChanged) return
  frontier.snapshot.forgetDropped()
}

/** Returns true if fetched pages would have to be read again for their links. */
export function needsRereads({ saved }: StateDirectory, config: Config): boolean {
  return saved !== undefined && [...wideningChanges(saved.settings, config)].some(isOfPages)
}

/**
 * Applies the current settings to a crawl, as if it had begun with them. Reconsiders URLs beyond a limit that is higher
 * now. With `--force`, has pages read again whose links may be in the crawl now, and reconsiders other skipped URLs.
 * Drops URLs that are not in the crawl any more from the queue, also if a new round has put them there. Must be called
 * before the frontier resumes.
 */
export async function applyNewSettings(
  parts: ForcedResumeParts,
  isNewRound: boolean,
): Promise<void> {
  const { config, directory, frontier, skips } = parts
  const saved = directory?.saved
  if (saved === undefined) return
  const isRaised = raisesHostLimit(saved.settings, config)
  if (isRaised) frontier.snapshot.reconsiderSkipped(-1)
  const isForced = config.force && widen(saved.settings, parts)
  if (!isNewRound && !isRaised && !isForced) return
  // Without --force, the URLs were listed as skipped when they were dropped for the first time.
  await skips.addAll(dropUnwanted(parts, isForced))
}

/** Puts pages and skipped URLs back into the queue that may lead further. Returns whether a setting has changed. */
function widen(
  before: Readonly<Record<string, unknown>>,
  { config, frontier, scope }: ForcedResumeParts,
): boolean {
  const { further, isChanged } = urlChanges(before, config)
  if (further.size > 0) frontier.snapshot.adoptExternal((url) => scope.contains(url))
  const limit = Number(before['depth'])
  for (const links of further) {
    if (isOfPages(links)) frontier.snapshot.reread(rereadScope(links, limit))
    frontier.snapshot.reconsiderSkipped(links === 'of-the-deepest' ? limit : -1)
  }
  return isChanged
}

function isOfPages(links: RescannedPages): links is Exclude<RescannedPages, 'none'> {
  return links !== 'none'
}

function rereadScope(links: Exclude<RescannedPages, 'none'>, limit: number): RereadScope {
  if (links === 'of-the-deepest') return { fromDepth: limit }
  return links === 'all' ? 'all' : 'seeds'
}

/** Drops URLs that are not in the crawl any more. Yields those that count as skipped, if they are to be listed. */
function* dropUnwanted(parts: ForcedResumeParts, isListed: boolean): Generator<Skip> {
  const { snapshot } = parts.frontier
  const unwanted = snapshot.dropUnwanted((url) => reasonAgainst(url, parts) === undefined)
  for (const each of unwanted) {
    const reason = reasonAgainst(each, parts)
    if (!isListed || reason === undefined || reason === 'not-requested') continue
    const { url, depth, via } = each
    yield { url, depth, reason, ...(via !== null && { via }) }
  }
}

function reasonAgainst(
  { url, depth, hop, via }: WaitingUrl,
  { config, scope, seeds }: ForcedResumeParts,
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
