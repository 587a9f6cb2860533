import { isDeepStrictEqual } from 'node:util'
import { keptSeeds, seedKey } from './kept-seeds.ts'
import type { Config } from './schema.ts'

/**
 * What a setting decides, and with it who has to agree: a crawl that is resumed goes on with the same
 * URLs, records, seen set and files, and the processes of a job share URLs, records, seen set and manners.
 */
type Decides = 'urls' | 'records' | 'seen' | 'files' | 'manners' | 'run'

const DECIDES = {
  ...{ seeds: 'urls', depth: 'urls', scope: 'urls', include: 'urls', exclude: 'urls' },
  ...{ canonicalize: 'urls', assets: 'urls', external: 'urls', sitemaps: 'urls' },
  ...{ ignoreRobots: 'urls', traps: 'urls', hooks: 'urls' },
  ...{ deterministic: 'records', extract: 'records', text: 'records', markdown: 'records' },
  ...{ contentDedup: 'records', followDuplicates: 'records' },
  ...{ seen: 'seen', expectedUrls: 'seen', falsePositiveRate: 'seen', digest: 'seen' },
  forgetAfter: 'seen',
  ...{ output: 'files', format: 'files', skipped: 'files', links: 'files' },
  saveBodies: 'files',
  ...{ perHost: 'manners', delay: 'manners', adaptive: 'manners', perIp: 'manners' },
  ...{ maxPerHost: 'manners', maxHostErrors: 'manners', maxRetryAfter: 'manners' },
  hostPatience: 'manners',
  // Limits, and how requests are made: a later run, or a machine, may need others. Of the user agent
  // robots.txt knows the name only, which a new version keeps.
  ...{ maxPages: 'run', maxTime: 'run', maxBody: 'run', maxRedirects: 'run', retries: 'run' },
  ...{ minRate: 'run', minRateTime: 'run' },
  ...{ timeout: 'run', connectTimeout: 'run', hookTimeout: 'run', revisitAfter: 'run' },
  retryFailed: 'run',
  ...{ userAgent: 'run', headers: 'run', cookies: 'run', proxy: 'run', insecure: 'run' },
  ...{ allowPrivate: 'run', workers: 'run', concurrency: 'run' },
  ...{ state: 'run', overwrite: 'run', force: 'run', frontier: 'run', job: 'run', lease: 'run' },
  ...{ logLevel: 'run', logInterval: 'run', progress: 'run', metrics: 'run' },
} as const satisfies Record<keyof Config, Decides>

/** A setting that decides which URLs are visited. */
export type UrlSetting = {
  [Name in keyof Config]-?: (typeof DECIDES)[Name] extends 'urls' ? Name : never
}[keyof Config]

/** The settings that decide one of these. */
export function settingsThatDecide(...what: readonly Decides[]): (keyof Config)[] {
  const names = Object.keys(DECIDES) as (keyof Config)[]
  return names.filter((name) => what.includes(DECIDES[name]))
}

export const URL_SETTINGS: readonly UrlSetting[] = settingsThatDecide('urls').filter(isUrlSetting)

function isUrlSetting(name: keyof Config): name is UrlSetting {
  return DECIDES[name] === 'urls'
}

type Settings = Readonly<Record<string, unknown>>

/**
 * How those of the settings differ that have to be as before, one phrase each.
 * @param before as it came back from JSON
 */
export function changesOf(names: readonly string[], before: Settings, now: Settings): string[] {
  return changedSettings(names, before, now).map(
    ({ name, was, is }) => `${name} was ${shown(was)} and is ${shown(is)} now`,
  )
}

/** The same, as values of JSON. */
export function changedSettings<Name extends string>(
  names: readonly Name[],
  before: Settings,
  now: Settings,
): { readonly name: Name; readonly was: unknown; readonly is: unknown }[] {
  return names
    .map((name) => ({ name, was: safe(name, before[name]), is: safe(name, plain(now[name])) }))
    .filter(({ name, was, is }) => !isDeepStrictEqual(comparable(name, was), comparable(name, is)))
}

/** An older version kept the logins of seeds, too. */
function safe(name: string, value: unknown): unknown {
  return name === 'seeds' && value !== undefined ? keptSeeds(value) : value
}

/** A seed is the same with another login. */
function comparable(name: string, value: unknown): unknown {
  return name === 'seeds' && value !== undefined ? keptSeeds(value).map(seedKey) : value
}

/** What was kept may be anything. */
const MOST_SHOWN = 200

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'not set'
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}

/** As it comes back from JSON. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
