import { isDeepStrictEqual } from 'node:util'
import { keptSeeds, seedKey } from './kept-seeds.ts'
import { type SettingName, settingsWith, traitsOf, type UrlSetting } from './schema.ts'
import type { Decides } from './setting.ts'

/** Returns the settings that decide any of these aspects. */
export function settingsThatDecide(...what: readonly Decides[]): SettingName[] {
  return settingsWith(({ decides }) => what.includes(decides))
}

export const URL_SETTINGS: readonly UrlSetting[] = settingsThatDecide('urls').filter(isUrlSetting)

function isUrlSetting(name: SettingName): name is UrlSetting {
  return traitsOf(name).decides === 'urls'
}

type StoredSettings = Readonly<Record<string, unknown>>

/**
 * Describes how the named settings differ, one phrase each.
 * @param before parsed from stored JSON
 */
export function changesOf(
  names: readonly string[],
  before: StoredSettings,
  now: StoredSettings,
): string[] {
  return changedSettings(names, before, now).map(
    ({ name, was, is }) => `${name} was ${shown(was)} and is ${shown(is)} now`,
  )
}

/** Returns the named settings that differ, as JSON values. */
export function changedSettings<Name extends string>(
  names: readonly Name[],
  before: StoredSettings,
  now: StoredSettings,
): { readonly name: Name; readonly was: unknown; readonly is: unknown }[] {
  return names
    .map((name) => ({ name, was: safe(name, before[name]), is: safe(name, plain(now[name])) }))
    .filter(({ name, was, is }) => !isDeepStrictEqual(comparable(name, was), comparable(name, is)))
}

/** An older version also stored the logins of seeds. */
function safe(name: string, value: unknown): unknown {
  return name === 'seeds' && value !== undefined ? keptSeeds(value) : value
}

/** Two seeds that differ only in their login are equal. */
function comparable(name: string, value: unknown): unknown {
  return name === 'seeds' && value !== undefined ? keptSeeds(value).map(seedKey) : value
}

/** Stored values may be of any length. */
const MOST_SHOWN = 200

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'not set'
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}

/** Returns the value as it would come back from JSON. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
