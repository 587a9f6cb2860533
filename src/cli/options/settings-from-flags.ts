import { Option } from 'commander'
import { settingLabel } from '../../config/describe-config-errors.ts'
import {
  type ConfigInput,
  type SettingName,
  settingsWith,
  traitsOf,
  valueKindOf,
} from '../../config/schema.ts'
import { countOf } from '../../english-text.ts'
import { CrawlerError } from '../../errors.ts'
import { fieldName } from '../../page-data/field.ts'
import { parseNumber } from './typed-values.ts'

/**
 * Returns the settings in the flags. Invalid values stay as they are, since the schema reports them.
 * @throws CrawlerError('usage') if an entry of an object has no separator, or repeats a name
 */
export function settingsFromFlags(flags: Readonly<Record<string, unknown>>): ConfigInput {
  const typed = settingsWith(({ flag }) => flag !== undefined).flatMap((name) => {
    const { flag = '' } = traitsOf(name)
    const value = flags[new Option(flag).attributeName()]
    return value === undefined ? [] : [[name, settingValueOf(name, value)] as const]
  })
  return Object.fromEntries(typed)
}

function settingValueOf(name: SettingName, value: unknown): unknown {
  if (traitsOf(name).separator !== undefined) return entriesOf(name, value)
  if (valueKindOf(name) !== 'number' || typeof value !== 'string') return value
  const { words = {} } = traitsOf(name)
  if (Object.hasOwn(words, value)) return words[value]
  const number = parseNumber(value)
  // Messages would show a larger number rounded.
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : value
}

function entriesOf(name: SettingName, value: unknown): object {
  const texts: unknown[] = [value].flat()
  const entries = texts.map((text) => entryOf(name, String(text)))
  const keys = new Set<string>()
  const isHeader = traitsOf(name).separator === ':'
  for (const [key] of entries) {
    const known = isHeader ? key.toLowerCase() : fieldName(key)
    if (keys.has(known))
      throw new CrawlerError(
        'usage',
        `${settingLabel(name)}: expected each name once, got \`${isHeader ? key : known}\` twice`,
      )
    keys.add(known)
  }
  return Object.fromEntries(entries)
}

function entryOf(name: SettingName, text: string): [key: string, value: string] {
  const { separator = '=', flag = '', isSecret } = traitsOf(name)
  const at = text.indexOf(separator)
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  const [, form] = /<(.+)>/.exec(flag) ?? []
  const got = isSecret === true ? `a text of ${countOf(text.length, 'character')}` : `\`${text}\``
  throw new CrawlerError('usage', `${settingLabel(name)}: expected \`${form}\`, got ${got}`)
}
