import { changedSettings, URL_SETTINGS } from './changed-settings.ts'
import { keptSeeds, seedKey } from './kept-seeds.ts'
import type { Config, UrlSetting } from './schema.ts'

/**
 * Pages whose links lead to new URLs after a change of settings: all, those at maximum depth, the
 * seeds, or none.
 */
export type FurtherLinks = 'all' | 'of-the-deepest' | 'of-the-seeds' | 'none'

interface WideningRule {
  /** Returns whether URLs belong to the crawl that did not before. */
  leadsFurther(was: unknown, is: unknown): boolean
  readonly links: FurtherLinks
}

type SettingValues = Readonly<Record<string, unknown>>

const SCOPES = ['path', 'host', 'domain', 'any']

const ON: WideningRule = { leadsFurther: (was, is) => was !== true && is === true, links: 'all' }
/** Removing an item from a list of exclusions adds URLs. */
const FEWER: WideningRule = { leadsFurther: (was, is) => hasOthers(is, was), links: 'all' }

const RULES: Readonly<Record<UrlSetting, WideningRule>> = {
  seeds: { leadsFurther: (was, is) => hasOthers(keysOf(was), keysOf(is)), links: 'all' },
  depth: { leadsFurther: (was, is) => Number(is) > Number(was), links: 'of-the-deepest' },
  scope: {
    leadsFurther: (was, is) => SCOPES.indexOf(String(is)) > SCOPES.indexOf(String(was)),
    links: 'all',
  },
  // Without patterns everything is included.
  include: {
    leadsFurther: (was, is) => {
      return listOf(was).length > 0 && (listOf(is).length === 0 || hasOthers(was, is))
    },
    links: 'all',
  },
  exclude: FEWER,
  canonicalize: FEWER,
  assets: ON,
  external: ON,
  // A seed may be a sitemap; the others are requested anyway.
  sitemaps: { ...ON, links: 'of-the-seeds' },
  ignoreRobots: ON,
  traps: { leadsFurther: (was, is) => was !== false && is === false, links: 'none' },
  // The effect of changed code is unknown.
  hooks: { leadsFurther: () => true, links: 'all' },
}

/**
 * Returns which pages have links that lead to new URLs under the current settings; empty if the
 * change adds no URL.
 * @param before settings parsed from stored JSON
 */
export function furtherLinks(before: SettingValues, now: Config): ReadonlySet<FurtherLinks> {
  const changes = changedSettings(URL_SETTINGS, before, now)
  const further = changes.flatMap(({ name, was, is }) => {
    const rule = RULES[name]
    return rule.leadsFurther(was, is) ? [rule.links] : []
  })
  if (!followsDuplicates(before) && followsDuplicates(now)) further.push('all')
  return new Set(further)
}

function followsDuplicates({ contentDedup, followDuplicates }: SettingValues): boolean {
  return contentDedup === undefined || followDuplicates !== false
}

function keysOf(seeds: unknown): string[] {
  return keptSeeds(seeds).map(seedKey)
}

/** Returns whether `list` has an item that is not in `known`. */
function hasOthers(known: unknown, list: unknown): boolean {
  const all = new Set(listOf(known))
  return listOf(list).some((each) => !all.has(each))
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
