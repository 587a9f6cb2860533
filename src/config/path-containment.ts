import { lstatSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/**
 * Returns whether a path leads inside a folder, with all symbolic links resolved; the file needn't
 * exist. Hidden files and folders (`.git`, `.ssh`) count as outside, since files there control other
 * programs. A path with `..` counts as outside, too: the system resolves `..` after a symbolic link.
 */
export function isInsideFolder(name: string, folder: string): boolean {
  if (name.split(/[\\/]/).includes('..')) return false
  const place = realPathOf(resolve(folder, name))
  if (place === undefined) return false
  const path = relative(realpathSync.native(folder), place)
  return !isAbsolute(path) && path.split(sep).every((part) => !part.startsWith('.'))
}

/** Returns whether a path leads to a pipe, a device or another special file. Opening one may wait forever. */
export function isSpecialFile(name: string): boolean {
  const file = statSync(name, { throwIfNoEntry: false })
  return file !== undefined && !file.isFile() && !file.isDirectory()
}

/** Returns whether symbolic links lead from a path inside the working directory to a place outside. */
export function linksOutside(name: string): boolean {
  const isAbove = (path: string) => isAbsolute(path) || path.split(sep)[0] === '..'
  if (isAbove(relative('.', name))) return false
  const place = realPathOf(resolve(name))
  return place === undefined || isAbove(relative(realpathSync.native('.'), place))
}

/** Resolves symbolic links. Returns undefined if that is impossible, such as for a dangling link. */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    const parent = dirname(path)
    if (parent === path || exists(path)) return undefined
    const place = realPathOf(parent)
    return place && join(place, basename(path))
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}
