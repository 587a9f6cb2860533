import { basename, dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ConfigInput } from '../../config/schema.ts'
import { CrawlerError } from '../../errors.ts'
import { statsOf } from '../../fetch/site-folder.ts'
import { parseSeed } from '../../url/seed.ts'

/** The site that the pages of a folder form. Only the folder answers for it. */
const LOCAL_SITE = 'http://localhost/'
const PAGE = /\.html?$/i

/**
 * Returns the settings for seeds. A typed folder or page of this machine stands for a site of which all URLs are files of
 * the folder.
 * @param listed the seeds of files, which are URLs
 * @throws CrawlerError('usage') for a folder among other seeds, or beside `--folder`
 */
export function seedSettings(
  typed: readonly string[],
  { folder }: Pick<ConfigInput, 'folder'>,
  listed: readonly string[] = [],
): Pick<ConfigInput, 'folder' | 'seeds'> {
  const seeds = [...typed, ...listed]
  for (const seed of typed) {
    const site = localSite(seed)
    if (site === undefined) continue
    if (seeds.length === 1 && folder === undefined) return site
    const others = folder === undefined ? 'further seeds' : '--folder'
    throw new CrawlerError('usage', `${seed}: expected a folder as the only seed, got ${others}`)
  }
  return seeds.length === 0 ? {} : { seeds }
}

/** Returns the settings for a seed that is no URL, but an existing folder or page; undefined for any other seed. */
function localSite(seed: string): Pick<ConfigInput, 'folder' | 'seeds'> | undefined {
  if (isUrl(seed)) return undefined
  const path = pathOf(seed)
  const stats = statsOf(path)
  if (stats?.isDirectory()) return { folder: resolve(path), seeds: [LOCAL_SITE] }
  if (!stats?.isFile() || !PAGE.test(path)) return undefined
  const name = encodeURIComponent(basename(path))
  return { folder: resolve(dirname(path)), seeds: [`${LOCAL_SITE}${name}`] }
}

function isUrl(seed: string): boolean {
  try {
    return parseSeed(seed).url !== ''
  } catch {
    return false
  }
}

function pathOf(seed: string): string {
  const url = URL.parse(seed)
  if (url?.protocol !== 'file:' || url.host !== '') return seed
  try {
    return fileURLToPath(url)
  } catch {
    // No path has an escaped slash.
    return seed
  }
}
