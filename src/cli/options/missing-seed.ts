import { accepts, isSettingName, traitsOf } from '../../config/schema.ts'
import { CrawlerError } from '../../errors.ts'
import { hideLogin } from '../../url/url-with-password.ts'
import type { CrawlFlags } from './crawl-options.ts'
import { nameOfSeeds } from './seeds-file.ts'

const HTTP_URL = /^https?:\/\//i

/**
 * Returns the error for a command line without a seed. It names the flag that probably took the seed as its value.
 * @param command the command whose help lists the settings
 */
export function noSeedError(flags: CrawlFlags, command: string): CrawlerError {
  const { dryRun = false, seeds, state } = flags
  const source = seeds === undefined ? '' : `${seeds.map(nameOfSeeds).join(', ')}: `
  const taken = seeds === undefined ? urlTakenByFlag(flags) : ''
  const missing =
    state === undefined || dryRun || source !== '' || taken !== ''
      ? `${source}expected at least one seed URL, got none${taken}`
      : `${state}: expected a crawl to resume, or a seed URL to begin one, got neither`
  return new CrawlerError('usage', `${missing}; ${command} --help shows more`)
}

/** Returns a note on a URL that a flag took as its value although it was probably a seed; empty if there is none. */
function urlTakenByFlag(flags: CrawlFlags): string {
  const typed = Object.entries({ ...flags, proxy: undefined })
  const [name, value] = typed.find(([flag, given]) => seemsSeed(flag, String(given))) ?? []
  if (name === undefined) return ''
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return ` but ${hideLogin(String(value))}, which --${flag} took`
}

/** Returns whether a flag whose value is optional took a URL: `--cookies https://example.com/`. */
export function seedTakenByOption(flags: CrawlFlags): boolean {
  const typed = Object.entries(flags)
  return typed.some(([flag, value]) => hasOptionalValue(flag) && HTTP_URL.test(String(value)))
}

function hasOptionalValue(flag: string): boolean {
  return isSettingName(flag) && traitsOf(flag).flag?.includes('[') === true
}

/** Returns whether a flag's value is a URL. A flag whose value is optional may have taken a host, too. */
function seemsSeed(flag: string, value: string): boolean {
  if (HTTP_URL.test(value)) return true
  return hasOptionalValue(flag) && accepts('seeds', [value])
}
