import { changedSettings, type StoredSettings, URL_SETTINGS } from './changed-settings.ts'
import type { Config, UrlSetting } from './schema.ts'
import { SCOPES, UNLIMITED_DEPTH } from './settings/crawl-settings.ts'
import { parseStoredSeeds, seedKey } from './stored-seeds.ts'

/**
 * Pages whose links lead to new URLs after a change of settings: all, those at maximum depth, the
 * seeds, or none.
 */
export type RescannedPages = 'all' | 'of-the-deepest' | 'of-the-seeds' | 'none'

interface WideningRule {
  /** Returns whether the change of a setting adds URLs to the crawl. */
  widens(was: unknown, is: unknown): boolean
  readonly pages: RescannedPages
}

const TURNED_ON: WideningRule = { widens: (was, is) => was !== true && is === true, pages: 'all' }
/** Removing an item from a list of exclusions adds URLs. */
const ITEM_REMOVED: WideningRule = { widens: (was, is) => hasOtherItems(is, was), pages: 'all' }

/** An empty list includes everything. */
const INCLUSION: WideningRule = {
  widens: (was, is) =>
    listOf(was).length > 0 && (listOf(is).length === 0 || hasOtherItems(was, is)),
  pages: 'all',
}

const RULES: Readonly<Record<UrlSetting, WideningRule>> = {
  seeds: { widens: (was, is) => hasOtherItems(seedKeysOf(was), seedKeysOf(is)), pages: 'all' },
  depth: { widens: (was, is) => Number(is) > Number(was), pages: 'of-the-deepest' },
  scope: {
    widens: (was, is) => breadthOf(is) > breadthOf(was),
    pages: 'all',
  },
  include: INCLUSION,
  includePath: INCLUSION,
  exclude: ITEM_REMOVED,
  excludePath: ITEM_REMOVED,
  canonicalize: ITEM_REMOVED,
  stripQuery: {
    widens: (was, is) => is !== true && (was === true || hasOtherItems(is, was)),
    pages: 'all',
  },
  assets: TURNED_ON,
  externalAssets: TURNED_ON,
  external: TURNED_ON,
  // A seed may be a sitemap, so seeds are read again. The other sitemaps are requested anyway.
  sitemaps: { ...TURNED_ON, pages: 'of-the-seeds' },
  ignoreRobots: TURNED_ON,
  interact: TURNED_ON,
  render: { widens: (was) => was === undefined || was === 'never', pages: 'all' },
  traps: { widens: (was, is) => was !== false && is === false, pages: 'none' },
  // The effect of changed code is unknown.
  hooks: { widens: () => true, pages: 'all' },
}

/** How a run with other settings than earlier runs changes their crawl. */
export interface SettingsChange {
  /** True if `--force` adds URLs to the crawl, or removes some. */
  readonly changesUrls: boolean
  /** The pages whose links lead to new URLs now; empty if no URL is added. */
  readonly rescanned: ReadonlySet<RescannedPages>
  /** The maximum depth before. */
  readonly depthBefore: number
  /** True if URLs may be visited that were skipped because their host or domain had too many pages. */
  readonly raisesHostLimit: boolean
}

/**
 * Compares the settings of a run with those of earlier runs of its crawl. Settings that decide on URLs may differ only
 * with `--force`.
 * @param before settings parsed from stored JSON
 */
export function compareSettings(before: StoredSettings, now: Config): SettingsChange {
  const changes = now.force ? changedSettings(URL_SETTINGS, before, now) : []
  const rescanned = new Set<RescannedPages>()
  for (const { name, was, is } of changes) {
    const rule = RULES[name]
    if (rule.widens(was, is)) rescanned.add(pagesOf(rule, now))
  }
  if (now.force && !followsDuplicates(before) && followsDuplicates(now)) rescanned.add('all')
  return {
    changesUrls: changes.length + rescanned.size > 0,
    rescanned,
    depthBefore: Number(before['depth']),
    raisesHostLimit: raisesHostLimit(before, now),
  }
}

function raisesHostLimit(before: StoredSettings, now: Config): boolean {
  const limits = ['maxPerHost', 'maxPerDomain'] as const
  return limits.some((name) => {
    const was = before[name]
    return typeof was === 'number' && (now[name] ?? Number.POSITIVE_INFINITY) > was
  })
}

/**
 * Returns the pages whose links may lead further. These are all pages if the depth is limited and sitemaps are new: the
 * pages that they list come to depth 0.
 */
function pagesOf({ pages }: WideningRule, { depth }: Config): RescannedPages {
  return pages === 'of-the-seeds' && depth < UNLIMITED_DEPTH ? 'all' : pages
}

function followsDuplicates({ contentDedup, followDuplicates }: StoredSettings): boolean {
  return contentDedup === undefined || followDuplicates !== false
}

function seedKeysOf(seeds: unknown): string[] {
  return parseStoredSeeds(seeds).map(seedKey)
}

/** Returns how far a scope reaches compared with others. */
function breadthOf(scope: unknown): number {
  const scopes: readonly string[] = SCOPES
  return scopes.indexOf(String(scope))
}

/** Returns whether `list` has an item that is not in `known`. */
function hasOtherItems(known: unknown, list: unknown): boolean {
  const all = new Set(listOf(known))
  return listOf(list).some((each) => !all.has(each))
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
