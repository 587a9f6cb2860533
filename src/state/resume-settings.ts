import { resolve } from 'node:path'
import { describeChanges, settingsThatDecide } from '../config/changed-settings.ts'
import { checkStoredLogins } from '../config/logins.ts'
import type { Config, ConfigInput } from '../config/schema.ts'
import { CrawlerError } from '../errors.ts'
import { HIDDEN } from '../secret.ts'
import type { SavedCrawl } from './ledger.ts'
import type { StateDirectory } from './state-directory.ts'

/**
 * Settings that must not change when a crawl is resumed: with another value, the rest of the crawl
 * would disagree with its stored part.
 */
const FIXED_SETTINGS = settingsThatDecide('urls', 'records', 'seen', 'files')

/**
 * Checks that the settings agree with those that the crawl in a directory began with.
 * @param advice returns what the user can do instead
 * @throws CrawlerError('state') naming every fixed setting that has changed, unless `--force` is set
 */
export function checkResumeSettings(
  directory: StateDirectory,
  config: Config,
  advice: (directory: StateDirectory, saved: SavedCrawl, config: Config) => string,
): void {
  const { path, saved } = directory
  if (saved === undefined) return
  checkStoredLogins(saved.settings, config)
  if (config.force) return
  const now = { ...config, ...absolutePaths(config) }
  const changes = describeChanges(FIXED_SETTINGS, saved.settings, now)
  if (changes.length === 0) return
  const why = `${changes.join(', ')}; ${advice(directory, saved, config)}`
  const message = `${path}: expected the settings that its crawl began with, but ${why}`
  throw new CrawlerError('state', message)
}

/** Stores the settings of a crawl, and the input that they were made from, so that `crawl --state` alone resumes it. */
export function storeSettings(directory: StateDirectory, config: Config, input: ConfigInput): void {
  const paths = absolutePaths(config)
  directory.storeSettings(
    { ...config, ...paths },
    { ...input, ...paths, ...withoutPasswords(input, config) },
  )
}

/** Makes the stored settings of a finished crawl durable, for later rounds. They may be for another seen set. */
export function commitSettings(directory: StateDirectory): void {
  if (directory.saved === undefined) return
  const { snapshot: _, ...ledger } = directory.saved.ledger
  directory.commit(ledger)
}

/** Returns the settings that name files, as absolute paths: the next run may start in another directory. */
function absolutePaths(config: Config) {
  const { output, skipped, links, saveBodies, screenshots, cookies } = config
  return {
    output: output.map((name) => (name === '-' ? name : resolve(name))),
    ...(skipped !== undefined && { skipped: resolve(skipped) }),
    ...(links !== undefined && { links: resolve(links) }),
    ...(saveBodies !== undefined && { saveBodies: resolve(saveBodies) }),
    ...(screenshots !== undefined && { screenshots: resolve(screenshots) }),
    ...(typeof cookies === 'string' && { cookies: resolve(cookies) }),
  }
}

/**
 * Returns the settings that may contain passwords, without the passwords: the user gives them again
 * on resuming.
 */
function withoutPasswords(input: ConfigInput, { seeds, headers, proxy }: Config): ConfigInput {
  const names = Object.keys(headers)
  return {
    seeds: seeds.map(String),
    ...(input.headers && { headers: Object.fromEntries(names.map((name) => [name, HIDDEN])) }),
    ...(proxy !== undefined && { proxy: String(proxy) }),
    ...(input.auth !== undefined && { auth: undefined }),
  }
}
