import type { BaseIssue } from 'valibot'
import { CrawlerError } from '../errors.ts'
import { didYouMean, nameSuggestion, nearName } from '../near-name.ts'
import { shortened } from '../printable-text.ts'
import { isSecretHeader } from '../secret.ts'
import { hideLogin } from '../url/url-with-password.ts'
import { likelyQuantities } from './likely-quantity.ts'
import {
  accepts,
  choicesOf,
  isSettingName,
  itemChoicesOf,
  SETTING_NAMES,
  type SettingName,
  settingsWith,
  traitsOf,
} from './schema.ts'

/** Source of settings: flags, a program that uses the library, or the named file. */
export type SettingsSource = 'flags' | 'program' | { readonly file: string }

/** Returns one error with a line for each problem: the setting, its value and the expected one. */
export function configError(
  source: SettingsSource,
  issues: readonly BaseIssue<unknown>[],
): CrawlerError {
  const lines = issues.flatMap((issue) => describe(source, issue))
  return new CrawlerError('usage', [...new Set(lines)].join('\n'))
}

function describe(source: SettingsSource, issue: BaseIssue<unknown>): string | string[] {
  const [first] = issue.path ?? []
  if (issue.type === 'strict_object' && first?.origin === 'key') {
    return unknownSettings(source, first.input)
  }
  const name = settingName(source, issue)
  const last = issue.path?.at(-1)
  // The value as written: the issue itself may be about the result of a conversion from units.
  const written = last?.origin === 'value' ? withoutSecrets(issue, last.value) : nameIn(issue)
  const got = written === undefined ? '' : `, got ${describeValue(written, source)}`
  return `${name}: expected ${issue.message}${wordsFor(issue)}${meantBy(issue, written)}${got}`
}

function describeValue(value: unknown, source: SettingsSource): string {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'bigint') return `\`${value}n\``
  const name = classOf(value)
  return name === undefined ? `\`${quote(value, source)}\`` : `a ${name} object`
}

/** Returns the class of an object such as a URL, whose JSON would look like a right value; undefined for JSON values. */
function classOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const name: unknown = value.constructor?.name
  return typeof name === 'string' && name !== 'Object' ? name : undefined
}

/** Returns the words that can stand for a number, such as `unlimited`. */
function wordsFor({ path }: BaseIssue<unknown>): string {
  const name = String(path?.[0]?.key)
  if (!isSettingName(name)) return ''
  const words = Object.keys(traitsOf(name).words ?? {})
  return words.length === 0 ? '' : ` or ${words.join(', ')}`
}

/** Suggests a value with another unit, or a likely choice: `10MB` for `10M`, `jsonl` for `json`. */
function meantBy({ path }: BaseIssue<unknown>, written: unknown): string {
  const name = String(path?.[0]?.key)
  if (typeof written !== 'string' || !isSettingName(name)) return ''
  if (path?.length !== 1) return nameSuggestion(written, itemChoicesOf(name))
  // Settings that take any text, such as a name, have no units.
  const isText = accepts(name, 'text')
  const quantities = isText ? [] : likelyQuantities(written).filter((each) => accepts(name, each))
  return quantities.length === 0
    ? nameSuggestion(written, choicesOf(name))
    : didYouMean(quantities.join(' or '))
}

/** Describes all unknown settings: an issue is only about the first. */
function unknownSettings(source: SettingsSource, input: unknown): string[] {
  return Object.keys(Object(input))
    .filter((name) => name !== '$schema' && !isSettingName(name))
    .map((name) => {
      const near = nearName(name, SETTING_NAMES) ?? settingNamedElsewhere(name)
      const suggestion = near === undefined ? '' : `; did you mean ${near}?`
      return `${placeOf(source, shortened(name, MAX_QUOTED))}: unknown setting${suggestion}`
    })
}

/** Returns the setting that has this name in other programs: `depth` for `maxDepth`; undefined if none has. */
function settingNamedElsewhere(name: string): SettingName | undefined {
  const [same] = settingsWith(({ otherNames = [] }) => {
    // Nobody misspells a short flag such as `-rl` as the name of a setting.
    const names = otherNames.filter((each) => each.startsWith('--'))
    return nearName(name, names) !== undefined
  })
  return same
}

/** Returns the written value without its secrets; undefined if no part of it may be shown. */
function withoutSecrets({ path }: BaseIssue<unknown>, written: unknown): unknown {
  const [setting, field] = path?.map(({ key }) => String(key)) ?? []
  switch (setting) {
    case 'seeds':
    case 'proxy':
      if (typeof written === 'string') return hideLogin(written)
      return classOf(written) === undefined ? undefined : written
    case 'headers':
      return field === undefined || isSecretHeader(field) ? undefined : written
    case 'frontier':
    case 'auth':
      return undefined
    default:
      return written
  }
}

/** Returns the name of a field as it was written, without a secret in it. */
function nameIn({ path, input }: BaseIssue<unknown>): unknown {
  const isHeader = path?.[0]?.key === 'headers' && typeof input === 'string'
  return isHeader ? headerNameIn(input) : input
}

/** Hides the text after a secret header's name: a value that was written into the name by mistake. */
function headerNameIn(text: string): string {
  const [name = ''] = text.split(/[\s:=]/, 1)
  return isSecretHeader(name) && name !== text ? `${name}***` : text
}

function settingName(source: SettingsSource, issue: BaseIssue<unknown>): string {
  const [first, ...fields] = issue.path?.map((item) => String(item.key)) ?? []
  const names = first === 'headers' ? fields.map(headerNameIn) : fields
  const keys = first === undefined ? [] : [first, ...names]
  if (source !== 'flags') return placeOf(source, keys.join('.'))
  const [key = ''] = keys
  if (key === 'seeds') return 'seed'
  return settingLabel(key)
}

/** Returns the source and the name of a setting, for messages. An empty name stands for all settings. */
function placeOf(source: SettingsSource, name: string): string {
  if (typeof source === 'string') return name || 'settings'
  return [source.file, name].filter(Boolean).join(': ')
}

/** Returns the long flag of a setting: `--per-host`; undefined if only a config file can set it. */
export function longFlagOf(name: SettingName): string | undefined {
  return /--[\w-]+/.exec(traitsOf(name).flag ?? '')?.[0]
}

/** Returns the name of a setting for messages: its flag if it has one. Other names stay as they are. */
export function settingLabel(name: string): string {
  return (isSettingName(name) ? longFlagOf(name) : undefined) ?? name
}

const LABELS: ReadonlyMap<string, SettingName> = new Map(
  SETTING_NAMES.map((name) => [settingLabel(name), name]),
)

/** Returns a message for users of the library, with the names of settings in place of flags. */
export function withSettingNames(message: string): string {
  return message.replace(/--[a-z][a-z\d-]*/g, (flag) => LABELS.get(flag) ?? flag)
}

/** Maximum characters of a quoted name or value. */
const MAX_QUOTED = 100

/** Shows flags as typed, and a file's values as JSON, where "3" isn't 3. */
function quote(input: unknown, source: SettingsSource): string {
  const isPlain = typeof input === 'string' && source === 'flags' && !/\p{Cc}/u.test(input)
  const text = isPlain || typeof input === 'number' ? `${input}` : (JSON.stringify(input) ?? '')
  return shortened(text, MAX_QUOTED)
}
