import { DEFAULT_FILE, findConfigFile, readConfigFile } from '../../config/config-file.ts'
import type { Environment } from '../../config/environment.ts'
import { withEnvironment } from '../../config/environment-settings.ts'
import { mergeConfig } from '../../config/resolve-config.ts'
import { type Config, type ConfigInput, isSettingName } from '../../config/schema.ts'
import { checkUntrusted, type UntrustedSettings } from '../../config/untrusted-settings.ts'
import { CrawlerError } from '../../errors.ts'
import { fieldName } from '../../page-data/field.ts'
import type { CliContext, MessageForm } from '../cli-context.ts'
import { checkCompanions } from './check-companions.ts'
import type { CrawlFlags } from './crawl-options.ts'
import { seedSettings } from './local-seed.ts'
import { noSeedError, seedTakenByOption } from './missing-seed.ts'
import { type ReadSeeds, readSeeds, refuseSeedFile } from './seeds-file.ts'
import { settingsFromFlags } from './settings-from-flags.ts'
import { checkFileNames } from './typed-values.ts'

/** The settings of a crawl and their sources. */
interface CrawlSettings {
  readonly config: Config
  readonly input: ConfigInput
  /** Names of the settings that the user gave. Other settings come from files that may be a stranger's. */
  readonly given: ReadonlySet<string>
}

/** Settings of a crawl that is resumed. */
export type ResumedSettings = Omit<UntrustedSettings, 'origin'>

/** Sources of settings other than the command line. */
interface SettingsSources {
  /** The command whose help lists the settings; `crawl` unless given. */
  readonly command?: string
  /** Replaces the config file if neither a seed nor --config was typed. */
  readonly resumed?: ResumedSettings | undefined
  /** Values of settings that neither the flags nor the file has. */
  readonly defaults?: ConfigInput
  readonly environment?: Environment | undefined
  /** The seeds of `--seeds`. */
  readonly listed?: ReadSeeds
  /** Becomes JSON if the settings request a JSON log, so that errors in other settings are JSON lines, too. */
  readonly messageForm?: MessageForm
}

/**
 * Reads the settings of a crawl. Flags override the config file, and both override the defaults.
 * @throws CrawlerError('usage')
 */
export async function readSettings(
  typedSeeds: readonly string[],
  flags: CrawlFlags,
  {
    command = 'crawl',
    resumed,
    defaults = {},
    environment = {},
    listed = { seeds: [], repeatedSeeds: 0 },
    messageForm,
  }: SettingsSources = {},
): Promise<CrawlSettings> {
  refuseSeedFile([...typedSeeds, ...listed.seeds])
  checkFileNames({ '--config': namedConfig(flags), '--extract-file': flags.extractFile })
  const isAlone = resumed !== undefined && typedSeeds.length + listed.seeds.length === 0
  const file = await readFile(flags.config, isAlone ? resumed : undefined)
  const { logFormat }: { readonly logFormat?: unknown } = { ...file.settings, ...flags }
  if (messageForm !== undefined) messageForm.isJson ||= logFormat === 'json'
  const typed = await readFlags(typedSeeds, listed.seeds, flags)
  if (!hasSeeds(typed) && !hasSeeds(file.settings) && seedTakenByOption(flags)) {
    throw noSeedError(flags, command)
  }
  const merged = mergeConfig({ ...defaults, ...file.settings }, file.name, typed)
  const given = new Set(Object.keys(typed))
  checkCompanions(given, merged)
  if (file.origin !== 'named') checkUntrusted(file, given)
  else for (const name of Object.keys(file.settings)) given.add(name)
  const seedsMayBePrivate = given.has('seeds') || (file.origin === 'kept' && file.hasGivenSeeds)
  const foundFile = file.origin === 'found' && hasSettings(file) ? { foundFile: file.name } : {}
  const sources = { ...foundFile, seedsMayBePrivate, repeatedSeeds: listed.repeatedSeeds }
  const config = withEnvironment({ ...merged, ...sources }, environment)
  if (config.seeds.length > 0) return { config, input: { ...file.settings, ...typed }, given }
  throw noSeedError(flags, command)
}

/** Returns the files that a crawl reads before it begins. */
export function inputFiles(
  flags: CrawlFlags,
  { login }: Pick<Config, 'login'>,
): readonly (string | undefined)[] {
  return [...(flags.seeds ?? []), namedConfig(flags), flags.extractFile, login]
}

/** Returns the file that `--config` names. */
function namedConfig({ config }: CrawlFlags): string | undefined {
  return config === false ? undefined : config
}

function hasSettings({ settings }: Pick<FileSettings, 'settings'>): boolean {
  return Object.keys(settings).some(isSettingName)
}

function hasSeeds(settings: object): boolean {
  return 'seeds' in settings
}

/**
 * Reads the settings of a command that prints a report in place of visits. At a terminal, its log has the level of a
 * crawl's log, which also shows the live view. Elsewhere, the log has warnings only.
 * @throws CrawlerError('usage')
 */
export async function readReportSettings(
  typed: readonly string[],
  flags: CrawlFlags,
  {
    environment,
    messageForm,
    stderr,
    stdin,
  }: Pick<CliContext, 'environment' | 'messageForm' | 'stderr' | 'stdin'>,
  { command = 'crawl', defaults = {} }: Pick<SettingsSources, 'command' | 'defaults'> = {},
): Promise<Config> {
  const listed = await readSeeds(flags.seeds, stdin)
  const logLevel = stderr.isTTY === true ? 'info' : 'warn'
  const sources = {
    command,
    defaults: { ...defaults, logLevel },
    listed,
    environment,
    messageForm,
  } as const
  return (await readSettings(typed, flags, sources)).config
}

async function readFlags(
  typedSeeds: readonly string[],
  listedSeeds: readonly string[],
  flags: CrawlFlags,
): Promise<ConfigInput> {
  const { config: _, seeds: __, quiet, verbose = 0, extractFile, dryRun: ___, ...rest } = flags
  const levels = [
    ...(quiet ? ['--quiet'] : []),
    ...(verbose > 0 ? ['--verbose'] : []),
    ...(rest['logLevel'] === undefined ? [] : ['--log-level']),
  ]
  if (levels.length > 1) {
    const [first, second] = levels
    throw new CrawlerError('usage', `expected one of ${first} and ${second}, got both`)
  }
  const typed = settingsFromFlags(rest)
  return {
    ...typed,
    ...seedSettings(typedSeeds, typed, listedSeeds),
    ...(quiet && { logLevel: 'error' as const }),
    ...(verbose > 0 && { logLevel: verbose > 1 ? ('trace' as const) : ('debug' as const) }),
    ...(extractFile !== undefined && {
      extract: withFields(await readFieldFile(extractFile), typed.extract ?? {}),
    }),
  }
}

/** Returns the fields of a file, with those of the command line in place of fields with the same name. */
function withFields(
  file: Readonly<Record<string, string>>,
  typed: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const names = new Set(Object.keys(typed).map(fieldName))
  const isKept = (name: string) => Object.hasOwn(typed, name) || !names.has(fieldName(name))
  const kept = Object.entries(file).filter(([name]) => isKept(name))
  return { ...Object.fromEntries(kept), ...typed }
}

/** Settings of a file that the user named, or of another source. */
type FileSettings =
  | UntrustedSettings
  | { readonly origin: 'named'; readonly name: string; readonly settings: object }

async function readFile(
  named: CrawlFlags['config'],
  resumed: ResumedSettings | undefined,
): Promise<FileSettings> {
  if (typeof named === 'string') {
    return { origin: 'named', name: named, settings: await readConfigFile(named) }
  }
  if (resumed === undefined) {
    const settings = named === false ? {} : await findConfigFile()
    const trusted = { isOwnFile: () => false, hasGivenSeeds: false }
    return { origin: 'found', name: DEFAULT_FILE, settings, ...trusted }
  }
  const { force: _, overwrite: __, retryFailed: ___, ...settings } = resumed.settings
  return { origin: 'kept', ...resumed, settings }
}

async function readFieldFile(file: string): Promise<Config['extract']> {
  const extract = await readConfigFile(file)
  return mergeConfig({ extract }, file, {}).extract
}
