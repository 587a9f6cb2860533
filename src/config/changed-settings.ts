import { isDeepStrictEqual } from 'node:util'
import type { Config } from './schema.ts'

/** Settings that decide which URLs a crawl visits: whoever goes on with it or takes part has to agree. */
export const WHAT_IS_CRAWLED = [
  'seeds',
  'depth',
  'scope',
  'include',
  'exclude',
  'canonicalize',
  'assets',
  'sitemaps',
  'ignoreRobots',
] as const satisfies readonly (keyof Config)[]

type Settings = Readonly<Record<string, unknown>>

/**
 * How those of the settings differ that have to be as before, one phrase each.
 * @param before as it came back from JSON
 */
export function changesOf(names: readonly string[], before: Settings, now: Settings): string[] {
  return names
    .filter((name) => !isDeepStrictEqual(before[name], plain(now[name])))
    .map((name) => {
      return `${name} was ${JSON.stringify(before[name])} and is ${JSON.stringify(now[name])} now`
    })
}

/** As it comes back from JSON. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
