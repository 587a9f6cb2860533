import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/**
 * Returns whether a name leads to a place inside of a folder, or will when it is made, with all symbolic links
 * resolved. Hidden places (`.git`, `.ssh`) count as outside: programs take orders from what lies there. So does
 * a name with `..`, which to the system means the folder above the one that a symbolic link leads to.
 */
export function liesInside(name: string, folder: string): boolean {
  if (name.split(/[\\/]/).includes('..')) return false
  const place = placeOf(resolve(folder, name))
  if (place === undefined) return false
  const path = relative(realpathSync.native(folder), place)
  return !isAbsolute(path) && path.split(sep).every((part) => !part.startsWith('.'))
}

/** Returns whether symbolic links lead from a name inside of a folder to a place outside of it. */
export function leadsAway(name: string, folder: string): boolean {
  const isAbove = (path: string) => isAbsolute(path) || path.split(sep)[0] === '..'
  if (isAbove(relative(resolve(folder), resolve(folder, name)))) return false
  const place = placeOf(resolve(folder, name))
  return place === undefined || isAbove(relative(realpathSync.native(folder), place))
}

/** Undefined where that can't be known, as of a symbolic link that leads nowhere yet. */
function placeOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    const parent = dirname(path)
    if (parent === path || isThere(path)) return undefined
    const place = placeOf(parent)
    return place && join(place, basename(path))
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}
