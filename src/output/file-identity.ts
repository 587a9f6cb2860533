import { type BigIntStats, fstatSync, statSync } from 'node:fs'

/** A file by name, links followed, or by descriptor. */
type FileReference = string | number

/**
 * Returns an identity that all names of a file share: links, relative paths, another case where the
 * file system ignores it. Undefined for a missing file, and for devices such as /dev/null, which
 * several outputs may share.
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
 * Returns whether a name belongs to something other than a regular file: a pipe, a terminal,
 * /dev/null.
 */
export function isDevice(file: FileReference): boolean {
  return statsOf(file)?.isFile() === false
}

/** Returns whether a file is a regular one. */
export function isPlainFile(file: FileReference): boolean {
  return statsOf(file)?.isFile() === true
}

/** Returns whether a file is a pipe or a socket, whose reader may show what is written. */
export function isPipe(file: FileReference): boolean {
  const stats = statsOf(file)
  return stats !== undefined && (stats.isFIFO() || stats.isSocket())
}

/** Returns whether a file is a directory. */
export function isDirectory(file: FileReference): boolean {
  return statsOf(file)?.isDirectory() === true
}

/** Returns undefined on errors; opening the file reports them. */
function statsOf(file: FileReference): BigIntStats | undefined {
  try {
    return typeof file === 'number'
      ? fstatSync(file, { bigint: true })
      : statSync(file, { bigint: true })
  } catch {
    return undefined
  }
}
