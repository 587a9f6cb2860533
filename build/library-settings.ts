import { withSettingNames } from '../src/config/describe-config-errors.ts'
import {
  COMMAND_SETTINGS,
  SETTING_NAMES,
  type SettingName,
  traitsOf,
} from '../src/config/schema.ts'
import { SHARED_SEEN_NAMES } from '../src/config/settings/seen-settings.ts'
import { type Property, readProperties } from './config-schema.ts'

/** The file that `librarySettings` generates. */
export const LIBRARY_SETTINGS = new URL('../src/crawl/library-settings.ts', import.meta.url)

/** Maximum characters of a line of a comment. */
const COMMENT_WIDTH = 120

/** Comments on settings whose help describes the command rather than the library. */
const COMMENTS: Readonly<Partial<Record<SettingName, string>>> = {
  auth: "log in to the seeds' origins by HTTP Basic, with user:password",
  authFile: 'read user:password for auth from this file',
  color: 'has no effect on the library, whose logger decides',
  forgetAfter: 'time after which the seen set bloom-aging forgets a URL',
  hostDelay: "another delay for a host and its subdomains, such as { 'example.com': '5s' }",
  hooks:
    'path or file: URL of a module of hooks, in JavaScript or TypeScript, which the workers import',
  logFormat: 'has no effect on the library, whose logger decides',
  logLevel: 'has no effect on the library, whose logger decides',
  maxPages: 'stop after this many visits, including redirects, assets and failures',
  passphraseFile: 'read the passphrase of key from this file',
  progress: 'has no effect on the library, which shows nothing',
  rate: 'maximum requests per second of the whole crawl, such as 5 or 5/s; also 30/m or 100/h',
}

/**
 * Returns the text of src/crawl/library-settings.ts. It has the types of the schema, in a form that editors show well:
 * with comments, and without the schema's own types.
 */
export function librarySettings(): string {
  const properties = readProperties()
  const names = SETTING_NAMES.filter((name) => !COMMAND_SETTINGS.has(name))
  const entries = names.map((name) => entry(name, properties[name] ?? {}))
  return `// \`npm run docs\` generates this file from the table of all settings, and a test compares them.

/** The settings of the library, as in a config file. */
export interface LibrarySettings {
${entries.join('\n')}
}
`
}

function entry(name: SettingName, property: Property): string {
  const { help, defaultText } = traitsOf(name)
  const text = COMMENTS[name] ?? help
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
  const preset = defaultText ?? shownDefault(property.default)
  const hasEffect = !text.startsWith('has no effect')
  const whole = hasEffect && preset !== undefined ? `${sentence} Default: ${preset}.` : sentence
  const type = [...typesOf(property), 'undefined'].join(' | ')
  return `${comment(withSettingNames(whole))}\n  readonly ${name}?: ${type}`
}

/** Returns a default as code; undefined if it stands for nothing. */
function shownDefault(preset: unknown): string | undefined {
  if (typeof preset === 'string') return `'${preset}'`
  return typeof preset === 'number' || preset === true ? String(preset) : undefined
}

function comment(text: string): string {
  const safe = text.replaceAll('*/', '*\\/')
  const line = `  /** ${safe} */`
  if (line.length <= COMMENT_WIDTH) return line
  const lines = safe.match(new RegExp(`.{1,${COMMENT_WIDTH - 5}}(?: |$)`, 'g')) ?? []
  return ['  /**', ...lines.map((each) => `   * ${each.trim()}`), '   */'].join('\n')
}

/** Returns the types of a property; several form a union. */
function typesOf({ type = '', enum: values, items, anyOf }: Property): string[] {
  if (anyOf !== undefined) return [...new Set(anyOf.flatMap(typesOf))]
  if (values !== undefined) {
    return values.filter((value) => !SHARED.has(value)).map((value) => `'${value}'`)
  }
  if (items !== undefined) {
    const types = typesOf(items)
    return [`readonly ${types.length > 1 ? `(${types.join(' | ')})` : types[0]}[]`]
  }
  if (type === 'object') return ['Readonly<Record<string, string>>']
  return [type === 'integer' ? 'number' : type]
}

const SHARED: ReadonlySet<string> = new Set(SHARED_SEEN_NAMES)
