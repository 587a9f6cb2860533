import { resolve } from 'node:path'
import { settingLabel } from '../config/describe-config-errors.ts'
import { linksOutside } from '../config/path-containment.ts'
import type { Config } from '../config/schema.ts'
import { CrawlerError } from '../errors.ts'
import { identityOf } from './file-identities.ts'
import type { Ledger } from './ledger.ts'
import type { StateDirectory } from './state-directory.ts'

const FILE_SETTINGS = ['skipped', 'links', 'saveBodies', 'screenshots'] as const

/**
 * Returns whether a stored crawl wrote a file: its ledger has both the path and the identity of the
 * file.
 */
export function isOwnFile({ files = {} }: Pick<Ledger, 'files'>, name: string): boolean {
  const path = resolve(name)
  const identity = identityOf(path)
  return identity !== undefined && Object.hasOwn(files, path) && files[path] === identity
}

/**
 * Checks that the crawl continues only in files that it wrote or that the user named: a directory
 * from somebody else could name any file of the user.
 * @param given names of the settings that the user gave
 * @throws CrawlerError('usage') for an existing file that the crawl did not write and the user did
 * not name, and for a file that a link leads to out of the working directory: the link may have
 * come with the directory
 */
export function checkOwnFiles(
  directory: StateDirectory,
  config: Config,
  given: ReadonlySet<string>,
): void {
  const ledger = directory.saved?.ledger
  for (const path of Object.keys(ledger?.positions ?? {})) {
    const setting = settingOf(path, config)
    if (ledger === undefined || isOwnFile(ledger, path)) continue
    const isLinked = linksOutside(path)
    const isFree = identityOf(path) === undefined
    if (!isLinked && (isFree || given.has(setting))) continue
    const message = `${path} is not the file that this crawl wrote, or is a copy of it`
    const again = isLinked ? 'with the target of the link' : 'again'
    throw new CrawlerError(
      'usage',
      `${directory.path}: ${setting}: ${message}: give ${settingLabel(setting)} ${again}`,
    )
  }
}

/** Returns the setting that names a file; `output` if no other setting does. */
function settingOf(path: string, config: Config): 'output' | (typeof FILE_SETTINGS)[number] {
  const isNamed = (name: string | undefined) => name !== undefined && resolve(name) === path
  return FILE_SETTINGS.find((setting) => isNamed(config[setting])) ?? 'output'
}
