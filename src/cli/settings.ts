import {
  type Config,
  type ConfigInput,
  CrawlerError,
  checkUntrusted,
  DEFAULT_FILE,
  type Environment,
  findConfigFile,
  Logins,
  mergeConfig,
  readConfigFile,
  type UntrustedSettings,
} from '../index.ts'
import { numberIn } from './number-in.ts'
import type { Flags } from './program.ts'

/** Flags whose value is a number. */
const NUMBERS: ReadonlySet<string> = new Set([
  'depth',
  'workers',
  'metrics',
  'concurrency',
  'perHost',
  'maxPages',
  'maxPerHost',
  'maxHostErrors',
  'maxRedirects',
  'retries',
  'expectedUrls',
  'falsePositiveRate',
])

/** Flags that are true without their `--no-`. */
const SWITCHES: ReadonlySet<string> = new Set(['traps', 'followDuplicates', 'progress'])

/** What is meant, and how it was said. */
interface Settings {
  readonly config: Config
  readonly input: ConfigInput
  /** Names of the settings that the user gave: others come from files that may be a stranger's. */
  readonly given: ReadonlySet<string>
}

/** Settings of a crawl that is resumed. */
export type KeptSettings = Omit<UntrustedSettings, 'origin'>

/** What is known beside what was typed. */
interface Background {
  /** Takes the place of the file when nothing else says what to crawl. */
  readonly kept?: KeptSettings | undefined
  /** For what neither flags nor file say. */
  readonly defaults?: ConfigInput
  readonly environment?: Environment | undefined
}

/**
 * From what was typed to what is meant: flags over config file over defaults.
 * @throws CrawlerError('usage')
 */
export async function readSettings(
  seeds: readonly string[],
  flags: Flags,
  { kept, defaults = {}, environment = {} }: Background = {},
): Promise<Settings> {
  const typed = await readFlags(seeds, flags)
  const isAlone = kept !== undefined && seeds.length === 0
  const file = await readFile(flags.config, isAlone ? kept : undefined)
  const merged = mergeConfig({ ...defaults, ...file.settings }, file.name, typed)
  const given = new Set(Object.keys(typed))
  if (file.origin !== 'named') checkUntrusted(file, given)
  else for (const name of Object.keys(file.settings)) given.add(name)
  const config = new Logins(environment).fillAll(merged)
  if (config.seeds.length > 0) return { config, input: { ...file.settings, ...typed }, given }
  throw new CrawlerError(
    'usage',
    'expected at least one seed URL, got none; crawl --help tells more',
  )
}

async function readFlags(seeds: readonly string[], flags: Flags): Promise<ConfigInput> {
  const { config: _, seeds: __, quiet, header, extract, extractFile, ...rest } = flags
  const typed = Object.fromEntries(
    Object.entries(rest)
      .filter(isTyped)
      .map(([name, v]) => [name, numberWhereExpected(name, v)]),
  )
  return {
    ...typed,
    ...(seeds.length > 0 && { seeds: [...seeds] }),
    ...(quiet && { logLevel: 'error' as const }),
    ...(header && { headers: Object.fromEntries(header.map(parseHeader)) }),
    ...((extract || extractFile) && { extract: await readFields(extract, extractFile) }),
  }
}

/** Settings of a file that the user named, or others. */
type FileSettings =
  | UntrustedSettings
  | { readonly origin: 'named'; readonly name: string; readonly settings: object }

async function readFile(
  named: string | undefined,
  kept: KeptSettings | undefined,
): Promise<FileSettings> {
  if (named !== undefined) {
    return { origin: 'named', name: named, settings: await readConfigFile(named) }
  }
  if (kept === undefined) {
    const settings = await findConfigFile()
    return { origin: 'found', name: DEFAULT_FILE, settings, isOwnFile: () => false }
  }
  const { force: _, overwrite: __, retryFailed: ___, ...settings } = kept.settings
  return { origin: 'kept', ...kept, settings }
}

/** A switch that nobody touched would hide what the file says. */
function isTyped([name, value]: [string, unknown]): boolean {
  return !SWITCHES.has(name) || value === false
}

/** A number where one is expected; other texts stay as they are, for the schema to complain about. */
function numberWhereExpected(name: string, value: unknown): unknown {
  if (!NUMBERS.has(name) || typeof value !== 'string') return value
  const number = numberIn(value)
  return Number.isFinite(number) ? number : value
}

/** Fields on the command line over those of a file. */
async function readFields(typed: readonly string[] = [], file?: string) {
  const inFile = file === undefined ? {} : await readFieldFile(file)
  return { ...inFile, ...Object.fromEntries(typed.map(parseExtract)) }
}

async function readFieldFile(file: string): Promise<object> {
  const extract = await readConfigFile(file)
  mergeConfig({ extract }, file, {})
  return extract
}

function parseExtract(text: string): [name: string, selector: string] {
  const equals = text.indexOf('=')
  if (equals > 0) return [text.slice(0, equals).trim(), text.slice(equals + 1).trim()]
  throw new CrawlerError('usage', `--extract: expected \`name=selector\`, got \`${text}\``)
}

function parseHeader(text: string): [name: string, value: string] {
  const colon = text.indexOf(':')
  if (colon > 0) return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()]
  // Not shown: it may be a secret without its name.
  const got = `a text of ${text.length} characters`
  throw new CrawlerError('usage', `--header: expected \`name: value\`, got ${got}`)
}
