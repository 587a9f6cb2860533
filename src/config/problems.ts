import type { BaseIssue } from 'valibot'
import { CrawlerError } from '../errors.ts'
import { isSecretHeader } from '../secret.ts'
import { hideLogin } from '../url/login-url.ts'
import { isSettingName, type SettingName, traitsOf } from './schema.ts'

/** Where a setting was written: a file's name, or undefined for flags. */
export type SettingsSource = string | undefined

/** One error with a line for each problem, each naming the setting, what it holds and what it should. */
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
  // As it was written: the issue itself may be about what a unit was turned into.
  const written = last?.origin === 'value' ? withoutSecrets(issue, last.value) : issue.input
  const got = written === undefined ? '' : `, got \`${quote(written, source)}\``
  return `${name}: expected ${issue.message}${got}`
}

/** What was written, as far as it may be shown; undefined where nothing of it may be. */
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

function settingName(source: SettingsSource, issue: BaseIssue<unknown>): string {
  const keys = issue.path?.map((item) => String(item.key)) ?? []
  if (source !== undefined) return [source, keys.join('.')].filter(Boolean).join(': ')
  const [key = ''] = keys
  if (key === 'seeds') return 'seed'
  return isSettingName(key) ? labelOf(key) : `--${key}`
}

/** Returns the long flag of a setting: `--per-host`; undefined where only a config file may say it. */
export function flagOf(name: SettingName): string | undefined {
  return /--[\w-]+/.exec(traitsOf(name).flag ?? '')?.[0]
}

/** Returns the name of a setting for messages: its flag, if it has one. */
export function labelOf(name: SettingName): string {
  return flagOf(name) ?? name
}

/** Flags are shown as they were typed, and a file's values in JSON, where "3" isn't 3. */
function quote(input: unknown, source: SettingsSource): string {
  const isPlain = typeof input === 'string' && source === undefined && !/\p{Cc}/u.test(input)
  const text = isPlain || typeof input === 'number' ? `${input}` : (JSON.stringify(input) ?? '')
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
