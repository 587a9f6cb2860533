import type { BaseIssue } from 'valibot'
import { CrawlerError } from '../errors.ts'
import { isSecretHeader } from '../secret.ts'
import { hideLogin } from '../url/login-url.ts'
import { isSettingName, type SettingName, traitsOf } from './schema.ts'

/** Source of a setting: a file's name, or undefined for flags. */
export type SettingsSource = string | undefined

/** Returns one error with a line for each problem: the setting, its value and the expected one. */
export function configError(
  source: SettingsSource,
  issues: readonly BaseIssue<unknown>[],
): CrawlerError {
  return new CrawlerError('usage', issues.map((issue) => describe(source, issue)).join('\n'))
}

function describe(source: SettingsSource, issue: BaseIssue<unknown>): string {
  const name = settingName(source, issue)
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    return `${name}: no such setting`
  }
  const last = issue.path?.at(-1)
  // The value as written: the issue itself may be about the result of a conversion from units.
  const written = last?.origin === 'value' ? withoutSecrets(issue, last.value) : nameIn(issue)
  const got = written === undefined ? '' : `, got \`${quote(written, source)}\``
  return `${name}: expected ${issue.message}${got}`
}

/** Returns the written value as far as it may be shown; undefined if nothing of it may be. */
function withoutSecrets({ path }: BaseIssue<unknown>, written: unknown): unknown {
  const [setting, field] = path?.map(({ key }) => String(key)) ?? []
  switch (setting) {
    case 'seeds':
    case 'proxy':
      return typeof written === 'string' ? hideLogin(written) : undefined
    case 'headers':
      return field === undefined || isSecretHeader(field) ? undefined : written
    case 'frontier':
      return undefined
    default:
      return written
  }
}

/** Returns what was written as the name of a field. */
function nameIn({ path, input }: BaseIssue<unknown>): unknown {
  const isHeader = path?.[0]?.key === 'headers' && typeof input === 'string'
  return isHeader ? headerNameIn(input) : input
}

/** Hides what follows a secret header's name: a value that was written into the name. */
function headerNameIn(text: string): string {
  const [name = ''] = text.split(/[\s:=]/, 1)
  return isSecretHeader(name) && name !== text ? `${name}***` : text
}

function settingName(source: SettingsSource, issue: BaseIssue<unknown>): string {
  const [first, ...fields] = issue.path?.map((item) => String(item.key)) ?? []
  const names = first === 'headers' ? fields.map(headerNameIn) : fields
  const keys = first === undefined ? [] : [first, ...names]
  if (source !== undefined) return [source, keys.join('.')].filter(Boolean).join(': ')
  const [key = ''] = keys
  if (key === 'seeds') return 'seed'
  return isSettingName(key) ? settingLabel(key) : `--${key}`
}

/** Returns the long flag of a setting: `--per-host`; undefined if only a config file can set it. */
export function longFlagOf(name: SettingName): string | undefined {
  return /--[\w-]+/.exec(traitsOf(name).flag ?? '')?.[0]
}

/** Returns the name of a setting for messages: its flag if it has one. */
export function settingLabel(name: SettingName): string {
  return longFlagOf(name) ?? name
}

/** Shows flags as typed, and a file's values as JSON, where "3" isn't 3. */
function quote(input: unknown, source: SettingsSource): string {
  const isPlain = typeof input === 'string' && source === undefined && !/\p{Cc}/u.test(input)
  const text = isPlain || typeof input === 'number' ? `${input}` : (JSON.stringify(input) ?? '')
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
