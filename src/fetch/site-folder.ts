import { type Stats, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CrawlerError, foundInstead } from '../errors.ts'

/** A folder that contains the files of a site, or of a part of it. */
export interface SiteFolder {
  /** The start of the URLs of its files, up to a slash. */
  readonly base: string
  /** Absolute path. */
  readonly path: string
}

/** The names that the file for a path may have. */
interface FileNames {
  /** In order of preference. */
  readonly files: readonly string[]
  /** The index of a folder to which a path without a slash may lead. */
  readonly index?: string
}

const INDEX = 'index.html'

/**
 * Returns the folder that takes the place of a seed's site, or of a part of it: the largest part for which the folder has
 * the seed's page. If it has none, its files are those beside the seed.
 * @throws CrawlerError('usage') if it is no folder
 */
export function siteFolderFor(folder: string, seed: string): SiteFolder {
  const got = foundInPlaceOf(folder)
  if (got !== undefined) throw new CrawlerError('usage', `${folder}: expected a folder, got ${got}`)
  const path = resolve(folder)
  const { origin, pathname } = new URL(seed)
  const starts = [...pathname.matchAll(/\//g)].map(({ index }) => pathname.slice(0, index + 1))
  const start = starts.find((each) => hasPage(path, pathname.slice(each.length))) ?? starts.at(-1)
  return { base: `${origin}${start}`, path }
}

function hasPage(folder: string, path: string): boolean {
  const { files, index } = fileNamesFor(folder, path)
  const names = index === undefined ? files : [...files, index]
  return names.some((name) => statsOf(name)?.isFile())
}

/**
 * Returns the names that the file for a path may have, as static web servers find it: `docs/` is `docs/index.html`, and
 * `about` may be `about.html`.
 * @param path of a URL, relative to the folder, with escapes and without a query
 */
export function fileNamesFor(folder: string, path: string): FileNames {
  const names = path.split('/').map(fileNameOf)
  if (names.includes(undefined)) return { files: [] }
  const place = join(folder, ...names.map(String))
  const index = join(place, INDEX)
  if (path === '' || path.endsWith('/')) return { files: [index] }
  return { files: [place, `${place}.html`], index }
}

/** Returns the file name of a segment of a path; undefined if it could lead elsewhere. */
function fileNameOf(segment: string): string | undefined {
  try {
    const name = decodeURIComponent(segment)
    return name === '..' || /[/\\\0]/.test(name) ? undefined : name
  } catch {
    return undefined
  }
}

/** Returns what was found instead of a folder. */
function foundInPlaceOf(folder: string): string | undefined {
  try {
    const stats = statSync(folder, { throwIfNoEntry: false })
    if (stats === undefined) return 'nothing'
    return stats.isDirectory() ? undefined : 'a file'
  } catch (error) {
    return foundInstead(error)
  }
}

/** Returns what is at a path; undefined if nothing is, or if it can't be reached. */
export function statsOf(name: string): Stats | undefined {
  try {
    return statSync(name, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
