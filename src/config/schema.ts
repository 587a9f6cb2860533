import * as v from 'valibot'
import type { Secret } from '../secret.ts'
import type { Proxies } from './proxies.ts'
import type { SettingTraits } from './setting.ts'
import { clusterSettings } from './settings/cluster-settings.ts'
import { connectionSettings } from './settings/connection-settings.ts'
import { crawlSettings } from './settings/crawl-settings.ts'
import { fetchSettings } from './settings/fetch-settings.ts'
import { loginSettings } from './settings/login-settings.ts'
import { outputSettings } from './settings/output-settings.ts'
import { pageDataSettings } from './settings/page-data-settings.ts'
import { politenessSettings } from './settings/politeness-settings.ts'
import { programSettings } from './settings/program-settings.ts'
import { renderSettings } from './settings/render-settings.ts'
import { seenSettings } from './settings/seen-settings.ts'
import { possibleQuantities } from './units.ts'

/** Settings by the heading under which help and reference list them. */
const GROUPS = byName({
  'What to crawl': crawlSettings,
  'Data from pages': pageDataSettings,
  Output: outputSettings,
  Cluster: clusterSettings,
  Politeness: politenessSettings,
  Fetching: fetchSettings,
  Connection: connectionSettings,
  'Logging in': loginSettings,
  Rendering: renderSettings,
  'Seen set': seenSettings,
  Program: programSettings,
})
export type SettingGroup = keyof typeof GROUPS
export const SETTING_GROUPS: readonly SettingGroup[] = Object.keys(GROUPS).filter(isGroup)

/** Returns the groups with a type that only has their names. */
function byName<Name extends string>(groups: Record<Name, object>): Record<Name, object> {
  return groups
}

function isGroup(name: string): name is SettingGroup {
  return Object.hasOwn(GROUPS, name)
}

/** The type names the groups, since TypeScript would otherwise write out each setting in the types of the package. */
type SettingSchemas = typeof crawlSettings &
  typeof pageDataSettings &
  typeof outputSettings &
  typeof clusterSettings &
  typeof politenessSettings &
  typeof fetchSettings &
  typeof connectionSettings &
  typeof loginSettings &
  typeof renderSettings &
  typeof seenSettings &
  typeof programSettings
export type SettingName = keyof SettingSchemas

const settings: SettingSchemas = {
  ...crawlSettings,
  ...pageDataSettings,
  ...outputSettings,
  ...clusterSettings,
  ...politenessSettings,
  ...fetchSettings,
  ...connectionSettings,
  ...loginSettings,
  ...renderSettings,
  ...seenSettings,
  ...programSettings,
}

type SchemaReference = {
  readonly $schema: v.OptionalSchema<v.StringSchema<'a URL'>, undefined>
}

/** Schema of a config file. */
export const configSchema: v.StrictObjectSchema<
  SchemaReference & SettingSchemas,
  'an object of settings'
> = v.strictObject({ $schema: v.optional(v.string('a URL')), ...settings }, 'an object of settings')

/**
 * All settings with units resolved and defaults filled in; times in milliseconds, sizes in bytes.
 */
export type Config = Omit<ParsedSettings, 'concurrency'> & {
  readonly concurrency: number
  /** True if the user gave the seeds. The hosts of the seeds may then be at private addresses. */
  readonly seedsMayBePrivate: boolean
  /** Number of seeds that were left out because they were repeated. They count as duplicates. */
  readonly repeatedSeeds: number
  /** True if the crawl only shows what it would fetch, and writes nothing. */
  readonly dryRun: boolean
  /** The config file in the working directory, if settings come from it and the user didn't name it. */
  readonly foundFile?: string
  /** The proxies in use: `proxy`, or those of the environment. */
  readonly proxies: Proxies
  /** Passphrase of the private key, from the environment. */
  readonly passphrase?: Secret
}

/** Settings as the schema parses them: defaults that depend on other settings are missing. */
export type ParsedSettings = Omit<v.InferOutput<typeof configSchema>, '$schema'>

/** Settings as they may be in a config file or flags. */
export type ConfigInput = v.InferInput<typeof configSchema>

type WorkerSetting = {
  [Name in SettingName]: SettingSchemas[Name]['traits'] extends { readonly worker: true }
    ? Name
    : never
}[SettingName]
type Frozen<T> = T extends readonly (infer Item)[] ? readonly Item[] : T

/** The settings that fetch workers receive. */
export type WorkerSettings = {
  readonly [Name in keyof Pick<Config, WorkerSetting>]: Frozen<Config[Name]>
}

/** A setting that decides which URLs a crawl visits. */
export type UrlSetting = {
  [Name in SettingName]: SettingSchemas[Name]['traits']['decides'] extends 'urls' ? Name : never
}[SettingName]

export const SETTING_NAMES: readonly SettingName[] = Object.keys(settings).filter(isSettingName)

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settings, name)
}

export function traitsOf(name: SettingName): SettingTraits {
  return settings[name].traits
}

/** Returns the settings of a group, in the order of the reference. */
export function settingsIn(group: SettingGroup): SettingName[] {
  return Object.keys(GROUPS[group]).filter(isSettingName)
}

/** Settings of the command alone, which writes files, keeps crawls and shares them. The library refuses them. */
export const COMMAND_SETTINGS: ReadonlySet<string> = new Set<SettingName>([
  ...settingsIn('Output'),
  ...settingsIn('Cluster'),
  'metrics',
])

/** Returns the settings whose traits pass a test. */
export function settingsWith(test: (traits: SettingTraits) => boolean): SettingName[] {
  return SETTING_NAMES.filter((name) => test(traitsOf(name)))
}

/** Returns the kind of a setting's value: `number`, `string`, `boolean`, `array`, `picklist`, … */
export function valueKindOf(name: SettingName): string {
  const { type } = settings[name].pipe[0].wrapped
  return traitsOf(name).words === undefined ? type : 'number'
}

/** Returns whether a setting can have this value. */
export function accepts(name: SettingName, value: unknown): boolean {
  return v.safeParse(settings[name], value).success
}

/** Returns a value with its unit, as a user types it: `7d` for 604800000; undefined for a number without one. */
export function typedQuantity(name: SettingName, value: number): string | undefined {
  return possibleQuantities(value).find((text) => {
    return v.safeParse(settings[name], text).output === value
  })
}

/** Returns the default of a setting; undefined if it has none, or if the default depends on the machine. */
export function defaultOf(name: SettingName): unknown {
  const { default: value }: { readonly default: unknown } = settings[name].pipe[0]
  return typeof value === 'function' ? undefined : value
}

/** Returns the choices for the items of a setting that is a list; none if it has no fixed choices. */
export function itemChoicesOf(name: SettingName): readonly string[] {
  const { wrapped } = settings[name].pipe[0]
  const item = wrapped.type === 'array' && 'item' in wrapped ? wrapped.item : undefined
  return item !== undefined && item.type === 'picklist' ? item.options : []
}

/** Returns the choices for the value of a setting; none if it has no fixed choices. */
export function choicesOf(name: SettingName): readonly string[] {
  const { wrapped } = settings[name].pipe[0]
  return 'options' in wrapped && wrapped.type === 'picklist' ? wrapped.options : []
}
