import { resolve } from 'node:path'
import { changesOf, settingsThatDecide } from '../config/changed-settings.ts'
import { checkKeptLogins } from '../config/logins.ts'
import type { Config, ConfigInput } from '../config/schema.ts'
import { CrawlerError } from '../errors.ts'
import { HIDDEN } from '../secret.ts'
import type { StateDirectory } from './state-directory.ts'

/**
 * Settings that the stored part of a crawl depends on: another value would make two halves that
 * disagree.
 */
const SETTLED = settingsThatDecide('urls', 'records', 'seen', 'files')

const GO_ON = '--force goes on with the settings of now'

/**
 * Stores `config` as the settings of a directory, and its input for `crawl --state` alone.
 * @param advice suggests what else to do
 * @throws CrawlerError('state') naming every setting that must not change, unless `--force` is set
 */
export function settle(
  directory: StateDirectory,
  config: Config,
  input: ConfigInput,
  advice: (directory: StateDirectory, config: Config) => string = () => GO_ON,
): void {
  const before = directory.saved?.settings
  const now = { ...config, ...pathsOf(config) }
  if (before !== undefined) checkKeptLogins(before, config)
  if (before !== undefined && !config.force) {
    const changes = changesOf(SETTLED, before, now)
    if (changes.length > 0) throw conflict(directory.path, changes, advice(directory, config))
  }
  directory.keep(now, { ...input, ...pathsOf(config), ...hiddenOf(input, config) })
}

interface Paths {
  readonly output: string[]
  readonly skipped?: string
  readonly links?: string
  readonly saveBodies?: string
  readonly cookies?: string
}

/** Returns absolute file names: the next run may start in another directory. */
function pathsOf({ output, skipped, links, saveBodies, cookies }: Config): Paths {
  return {
    output: output.map((name) => (name === '-' ? name : resolve(name))),
    ...(skipped !== undefined && { skipped: resolve(skipped) }),
    ...(links !== undefined && { links: resolve(links) }),
    ...(saveBodies !== undefined && { saveBodies: resolve(saveBodies) }),
    ...(typeof cookies === 'string' && { cookies: resolve(cookies) }),
  }
}

/**
 * Returns the settings that contain passwords without them: the user gives them again on resuming.
 */
function hiddenOf(input: ConfigInput, { seeds, headers, proxy }: Config): ConfigInput {
  const names = Object.keys(headers)
  return {
    seeds: seeds.map(String),
    ...(input.headers && { headers: Object.fromEntries(names.map((name) => [name, HIDDEN])) }),
    ...(proxy !== undefined && { proxy: String(proxy) }),
  }
}

function conflict(path: string, changes: readonly string[], advice: string): CrawlerError {
  const told = changes.join(', ')
  const message = `${path}: expected the settings that its crawl began with, but ${told}; ${advice}`
  return new CrawlerError('state', message)
}
