import { changedSettings, URL_SETTINGS } from '../../config/changed-settings.ts'
import type { Config } from '../../config/schema.ts'
import { type RescannedPages, wideningChanges } from '../../config/widening.ts'
import type { RereadScope, WaitingUrl } from '../../frontier/frontier.ts'
import type { Skip, SkipReason } from '../../records/skip.ts'
import type { StateDirectory } from '../../state/state-directory.ts'
import type { CrawlState } from '../crawl-state.ts'

/** Whether URLs belong to the crawl of a directory by other settings that did not by those of before. */
export function widensCrawl({ saved }: StateDirectory, config: Config): boolean {
  return saved !== undefined && wideningChanges(saved.settings, config).size > 0
}

/** Whether pages that are done would have to be read again for their links. */
export function needsRereads({ saved }: StateDirectory, config: Config): boolean {
  return saved !== undefined && [...wideningChanges(saved.settings, config)].some(isOfPages)
}

/**
 * Lets a crawl go on, with --force, as if it had been done by the settings of now: pages whose links lead
 * further are read again, what was kept out is judged anew, and what waits and does not belong any more is
 * left out. To be called before the frontier resumes.
 */
export async function applyNewSettings(state: CrawlState): Promise<void> {
  const { config, directory, frontier, skips } = state
  const saved = directory?.saved
  if (saved === undefined || !config.force) return
  if (changedSettings(URL_SETTINGS, saved.settings, config).length === 0) return
  const limit = Number(saved.settings['depth'])
  const further = wideningChanges(saved.settings, config)
  for (const links of further) {
    if (isOfPages(links)) frontier.snapshot.reread(rereadFor(links, limit))
    frontier.snapshot.reconsiderKeptOut(links === 'of-the-deepest' ? limit : -1)
  }
  await skips.noteAll(unwantedOf(state))
}

function isOfPages(links: RescannedPages): links is Exclude<RescannedPages, 'none'> {
  return links !== 'none'
}

function rereadFor(links: Exclude<RescannedPages, 'none'>, limit: number): RereadScope {
  if (links === 'of-the-deepest') return { fromDepth: limit }
  return links === 'all' ? 'all' : 'seeds'
}

/** Takes out what does not belong any more; nobody has to account for assets that nobody asks for. */
function* unwantedOf(state: CrawlState): Generator<Skip> {
  const { snapshot } = state.frontier
  const unwanted = snapshot.dropUnwanted((url) => reasonAgainst(url, state) === undefined)
  for (const each of unwanted) {
    const reason = reasonAgainst(each, state)
    if (reason === undefined || reason === 'not-asked-for') continue
    const { url, depth, via } = each
    yield { url, depth, reason, ...(via !== null && { via }) }
  }
}

function reasonAgainst(
  { url, depth, hop, via }: WaitingUrl,
  { config, scope, seeds }: CrawlState,
): SkipReason | 'not-asked-for' | undefined {
  if (seeds.has(url)) return undefined
  if (depth > config.depth) return 'depth'
  // Those that robots.txt names may lie anywhere.
  if (hop === 'sitemap' && via === null) return config.sitemaps ? undefined : 'not-asked-for'
  if (hop === 'asset' && !config.assets) return 'not-asked-for'
  const reason = scope.whyNot(url)
  const mayBeOutside = config.external && (hop === 'external' || hop === 'redirect')
  return mayBeOutside && reason === 'out-of-scope' ? undefined : reason
}
