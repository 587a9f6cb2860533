import { isDeepStrictEqual } from 'node:util'
import { CrawlerError } from '../errors.ts'
import { isLoopbackAddress, isPrivateName } from '../fetch/addresses/private-address.ts'
import { parseSeed } from '../url/seed.ts'
import { UrlWithPassword } from '../url/url-with-password.ts'
import { longFlagOf } from './describe-config-errors.ts'
import { parseListenAddress } from './listen-address.ts'
import { isInsideFolder, isSpecialFile } from './path-containment.ts'
import { type ConfigInput, defaultOf, isSettingName, type SettingName, traitsOf } from './schema.ts'

/**
 * Settings that may be a stranger's: from a config file that was found, or from a directory of
 * `--state`.
 */
export interface UntrustedSettings {
  readonly origin: 'found' | 'kept'
  /** Name of the file or the directory. */
  readonly name: string
  /** Valid by the schema. */
  readonly settings: ConfigInput
  /** Returns whether the crawl stored in that directory wrote a file. */
  readonly isOwnFile: (name: string) => boolean
  /** True if the user gave these seeds to an earlier run. */
  readonly hasGivenSeeds: boolean
}

/**
 * Checks settings that the user did not give. They must not run code, send secrets or turn off
 * protection, and they may write only inside the working directory.
 * @param given names of settings that the user gave instead
 * @throws CrawlerError('usage') with a line for each setting that the user has to give
 */
export function checkUntrusted(untrusted: UntrustedSettings, given: ReadonlySet<string>): void {
  const lines = Object.keys(untrusted.settings)
    .filter(isSettingName)
    .filter((name) => !given.has(name))
    .flatMap((name) =>
      problemsOf(name, untrusted, given).map((why) => describeProblem(name, untrusted, why)),
    )
  if (lines.length > 0) throw new CrawlerError('usage', lines.join('\n'))
}

function describeProblem(
  setting: SettingName,
  { name, origin }: UntrustedSettings,
  why: string,
): string {
  const flag = setting === 'seeds' ? 'the seed' : longFlagOf(setting)
  const again = origin === 'kept' ? ' again' : ''
  const remedies = [
    ...(flag === undefined ? [] : [`give ${flag}${again}`]),
    ...(origin === 'found' ? ['name this file with --config'] : []),
    ...(origin === 'kept' && flag === undefined
      ? ['name the config file again with --config']
      : []),
  ]
  return `${name}: ${setting}: ${why}: ${remedies.join(', or ')}`
}

function problemsOf(
  setting: SettingName,
  untrusted: UntrustedSettings,
  given: ReadonlySet<string>,
): string[] {
  const { origin, settings } = untrusted
  const source =
    origin === 'found' ? 'a file that --config does not name' : 'a directory of --state'
  const isNotTaken = `is not taken from ${source}`
  const value = settings[setting]
  switch (traitsOf(setting).trust) {
    case 'given':
      return isDefault(setting, value) ? [] : [isNotTaken]
    case 'inside':
      return filesIn(value)
        .filter((file) => !untrusted.isOwnFile(file))
        .flatMap((file) => fileProblem(file) ?? [])
    case 'any': {
      if (setting === 'metrics') return isOfThisMachine(settings.metrics) ? [] : [isNotTaken]
      if (setting !== 'seeds') return []
      const isOpen = untrusted.hasGivenSeeds || given.has('allowPrivate')
      return seedProblems(settings.seeds ?? [], isOpen).map((what) => `${what} ${source}`)
    }
  }
}

/**
 * Returns phrases on the parts of seeds that only the user may choose.
 * @param mayBePrivate true if seeds may name private addresses; a host name that leads to one is refused at its lookup
 */
function seedProblems(seeds: readonly string[], mayBePrivate: boolean): string[] {
  const hosts = mayBePrivate ? [] : seeds.map((seed) => new URL(parseSeed(seed).url).hostname)
  const host = hosts.find(isPrivateName)
  return [
    ...(seeds.some((seed) => new UrlWithPassword(seed).hasLogin)
      ? ['user and password are not taken from']
      : []),
    ...(host === undefined ? [] : [`the private address ${host} is not taken from`]),
  ]
}

/** Returns whether no other machine can reach the address of a server. */
function isOfThisMachine(address: string | number = ''): boolean {
  return isLoopbackAddress(parseListenAddress(address)?.address ?? '')
}

function isDefault(setting: SettingName, value: unknown): boolean {
  return isDeepStrictEqual(value, defaultOf(setting))
}

/** Returns the reason why only the user may choose a file to write to; undefined if others may, too. */
function fileProblem(file: string): string | undefined {
  if (!isInsideFolder(file, '.')) return `${file} is hidden, or outside of the working directory`
  return isSpecialFile(file) ? `${file} is a pipe or a device` : undefined
}

/** Returns the file names in a setting's value. */
function filesIn(value: unknown): string[] {
  const names: unknown[] = [value].flat()
  return names.filter((name): name is string => typeof name === 'string' && name !== '-')
}
