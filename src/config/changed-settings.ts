import { isDeepStrictEqual } from 'node:util'
import {
  isSettingName,
  type SettingName,
  settingsWith,
  traitsOf,
  type UrlSetting,
} from './schema.ts'
import type { Decides } from './setting.ts'
import { parseStoredSeeds, seedKey } from './stored-seeds.ts'

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
export function describeChanges(
  names: readonly string[],
  before: StoredSettings,
  now: StoredSettings,
): string[] {
  return changedSettings(names, before, now).map(
    ({ name, was, is }) => `${name} was ${shown(name, was)} and is ${shown(name, is)} now`,
  )
}

/** Returns the named settings that differ, as JSON values. */
export function changedSettings<Name extends string>(
  names: readonly Name[],
  before: StoredSettings,
  now: StoredSettings,
): { readonly name: Name; readonly was: unknown; readonly is: unknown }[] {
  return names
    .map((name) => ({
      name,
      was: withoutLogins(name, before[name]),
      is: withoutLogins(name, asJson(now[name])),
    }))
    .filter(({ name, was, is }) => !isDeepStrictEqual(comparable(name, was), comparable(name, is)))
}

/** An older version also stored the logins of seeds. */
function withoutLogins(name: string, value: unknown): unknown {
  return name === 'seeds' && value !== undefined ? parseStoredSeeds(value) : value
}

/** Two seeds that differ only in their login are equal. */
function comparable(name: string, value: unknown): unknown {
  return name === 'seeds' && value !== undefined ? parseStoredSeeds(value).map(seedKey) : value
}

/** Stored values may be of any length. */
const MAX_SHOWN = 200

function shown(name: string, value: unknown): string {
  const words = isSettingName(name) ? Object.entries(traitsOf(name).words ?? {}) : []
  const [word] = words.find(([, meaning]) => meaning === value) ?? []
  const text = word ?? JSON.stringify(value) ?? 'not set'
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** Returns the value as it would come back from JSON. */
function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
