import { isDeepStrictEqual } from 'node:util'
import { formatCount } from '../english-text.ts'
import { shortened } from '../printable-text.ts'
import { UrlWithPassword } from '../url/url-with-password.ts'
import { longFlagOf, settingLabel } from './describe-config-errors.ts'
import {
  isSettingName,
  type SettingName,
  settingsWith,
  traitsOf,
  typedQuantity,
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

/** Settings parsed from stored JSON. */
export type StoredSettings = Readonly<Record<string, unknown>>

/**
 * Describes how the named settings differ, one phrase each, with flags and values as a user types them.
 * @param before parsed from stored JSON
 */
export function describeChanges(
  names: readonly string[],
  before: StoredSettings,
  now: StoredSettings,
): string[] {
  return changedSettings(names, before, now).map(
    (change) =>
      describeLongLists(change) ??
      `${settingLabel(change.name)} was ${shown(change.name, change.was)} and is ${shown(change.name, change.is)} now`,
  )
}

interface ChangedSetting<Name extends string = string> {
  readonly name: Name
  /** As a JSON value. */
  readonly was: unknown
  /** As a JSON value. */
  readonly is: unknown
}

/** Describes how two lists or objects differ, if one is too long to be shown; undefined for other values. */
function describeLongLists({ name, was, is }: ChangedSetting): string | undefined {
  const [before, now] = [was, is].map((value) => itemsOf(name, value))
  if (before === undefined || now === undefined) return undefined
  if ([was, is].every((value) => (JSON.stringify(value) ?? '').length <= MAX_SHOWN))
    return undefined
  const parts = [
    ...namedItems('added', itemsMissingIn(before, now)),
    ...namedItems(`of ${formatCount(before.size)} removed`, itemsMissingIn(now, before)),
  ]
  const difference = parts.join('; ') || 'the same ones in another order'
  return `${settingLabel(name)} changed (${difference})`
}

/** The items of a list as messages show them, each by the key that is compared. */
type Items = ReadonlyMap<string, string>
const NO_ITEMS: Items = new Map()

/** Returns the items of a list or the entries of an object, undefined for another value. */
function itemsOf(name: string, value: unknown): Items | undefined {
  if (value === undefined) return NO_ITEMS
  if (typeof value !== 'object' || value === null) return undefined
  const items: readonly unknown[] = Array.isArray(value)
    ? value
    : Object.entries(value).map(([key, item]) => `${key}=${item}`)
  return new Map(items.map((item) => [keyOf(name, item), String(item)]))
}

function itemsMissingIn(known: Items, items: Items): string[] {
  return [...items].flatMap(([key, text]) => (known.has(key) ? [] : [text]))
}

/** Returns a phrase with the number of items and the first few of them; none if there are no items. */
function namedItems(what: string, items: readonly string[]): string[] {
  if (items.length === 0) return []
  const first = items.slice(0, MAX_NAMED).map((item) => shortened(item, MAX_ITEM))
  const rest = items.length > MAX_NAMED ? ', …' : ''
  return [`${formatCount(items.length)} ${what}: ${first.join(', ')}${rest}`]
}

/** Returns the named settings that differ. */
export function changedSettings<Name extends string>(
  names: readonly Name[],
  before: StoredSettings,
  now: StoredSettings,
): ChangedSetting<Name>[] {
  return names
    .map((name) => ({
      name,
      was: withoutLogins(name, before[name]),
      is: withoutLogins(name, asJson(now[name])),
    }))
    .filter(({ name, was, is }) => !isEqual(name, was, is))
}

/** Hides the logins of seeds, which an older version stored. */
function withoutLogins(name: string, value: unknown): unknown {
  return name === 'seeds' && value !== undefined ? parseStoredSeeds(value) : value
}

/** Returns whether two values mean the same. The order of seeds doesn't matter, and an empty list equals no list. */
function isEqual(name: string, one: unknown, other: unknown): boolean {
  if (name !== 'seeds') return isDeepStrictEqual(presentItems(one), presentItems(other))
  const [seeds = NO_ITEMS, others = NO_ITEMS] = [one, other].map((value) => itemsOf(name, value))
  return seeds.size === others.size && itemsMissingIn(others, seeds).length === 0
}

function presentItems(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? undefined : value
}

/** Returns the key by which an item is compared. Seeds that differ only in their login are equal. */
function keyOf(name: string, item: unknown): string {
  return name === 'seeds' && item instanceof UrlWithPassword ? seedKey(item) : String(item)
}

/** Maximum characters of a value in a message. Stored values may have any length. */
const MAX_SHOWN = 200
/** Maximum items of a longer list that are named, and maximum characters of each. */
const MAX_NAMED = 3
const MAX_ITEM = 100

function shown(name: string, value: unknown): string {
  const text = (isSettingName(name) ? asTyped(name, value) : undefined) ?? JSON.stringify(value)
  return shortened(text ?? NOT_SET, MAX_SHOWN)
}

const NOT_SET = 'not set'

/** Returns a value in words or with its unit, as a user types it; undefined if its JSON is as clear. */
function asTyped(name: SettingName, value: unknown): string | undefined {
  const [word] = Object.entries(traitsOf(name).words ?? {}).find(([, each]) => each === value) ?? []
  if (word !== undefined) return word
  if (presentItems(value) === undefined) return NOT_SET
  if (typeof value === 'number') return typedQuantity(name, value)
  const turnsOff = longFlagOf(name)?.startsWith('--no-') === true
  if (typeof value === 'boolean') return value === turnsOff ? NOT_SET : 'set'
  return undefined
}

/** Returns a value as it is after being stored as JSON and parsed again. */
function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
