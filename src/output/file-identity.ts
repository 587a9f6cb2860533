import { type BigIntStats, fstatSync, statSync } from 'node:fs'

/** The name of a file, of which links are followed, or its descriptor. */
type FileReference = string | number

/**
 * Returns an identity that all names of a file share: links, relative paths, and names in another
 * case if the file system ignores case. Returns undefined for a missing file, and for devices such
 * as /dev/null, which several outputs may share.
 */
export function fileIdentity(file: FileReference): string | undefined {
  const stats = statsOf(file)
  const isShared = stats === undefined || stats.isCharacterDevice()
  return isShared ? undefined : `${stats.dev}:${stats.ino}`
}

/** Returns whether two names refer to one file. */
export function isSameFile(one: FileReference, other: FileReference): boolean {
  const identity = fileIdentity(one)
  return identity !== undefined && identity === fileIdentity(other)
}

/**
 * Returns whether a file exists and is not a regular one, but for example a pipe, a terminal or
 * /dev/null.
 */
export function isDevice(file: FileReference): boolean {
  return statsOf(file)?.isFile() === false
}

export function isPlainFile(file: FileReference): boolean {
  return statsOf(file)?.isFile() === true
}

/** Returns whether a file is a pipe or a socket, whose reader may be a program that shows the output. */
export function isPipe(file: FileReference): boolean {
  const stats = statsOf(file)
  return stats !== undefined && (stats.isFIFO() || stats.isSocket())
}

export function isDirectory(file: FileReference): boolean {
  return statsOf(file)?.isDirectory() === true
}

/** Returns undefined on errors: opening the file will report them. */
function statsOf(file: FileReference): BigIntStats | undefined {
  try {
    return typeof file === 'number'
      ? fstatSync(file, { bigint: true })
      : statSync(file, { bigint: true })
  } catch {
    return undefined
  }
}
