import {
  type Config,
  type ConfigInput,
  CrawlerError,
  DEFAULT_FILE,
  mergeConfig,
  readConfigFile,
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
}

/**
 * From what was typed to what is meant: flags over config file over defaults.
 * @param saved settings of a crawl that is resumed: they take the place of the file when nothing else
 * says what to crawl
 * @param defaults for what neither flags nor file say
 * @throws CrawlerError('usage')
 */
export async function readSettings(
  seeds: readonly string[],
  flags: Flags,
  saved?: ConfigInput,
  defaults: ConfigInput = {},
): Promise<Settings> {
  const { config: fileName, seeds: _, quiet, header, extract, extractFile, ...rest } = flags
  const typed = Object.fromEntries(
    Object.entries(rest)
      .filter(isTyped)
      .map(([name, v]) => [name, numberWhereExpected(name, v)]),
  )
  const settings = {
    ...typed,
    ...(seeds.length > 0 && { seeds: [...seeds] }),
    ...(quiet && { logLevel: 'error' as const }),
    ...(header && { headers: Object.fromEntries(header.map(parseHeader)) }),
    ...((extract || extractFile) && { extract: await readFields(extract, extractFile) }),
  }
  const isAlone = saved !== undefined && seeds.length === 0 && fileName === undefined
  const file = isAlone
    ? { ...saved, force: false, overwrite: false }
    : await readConfigFile(fileName)
  if (fileName === undefined) refuseCode(file)
  const config = mergeConfig({ ...defaults, ...file }, fileName ?? DEFAULT_FILE, settings)
  if (config.seeds.length > 0) return { config, input: { ...file, ...settings } }
  throw new CrawlerError(
    'usage',
    'expected at least one seed URL, got none; crawl --help tells more',
  )
}

/** What a directory happens to hold must not run code of its own. */
function refuseCode(found: object): void {
  if (!('hooks' in found)) return
  const message = 'hooks: expected the config file that names them to be named by --config'
  throw new CrawlerError('usage', message)
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
  throw new CrawlerError('usage', `--header: expected \`name: value\`, got \`${text}\``)
}
