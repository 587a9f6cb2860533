import { type BigIntStats, fstatSync, statSync } from 'node:fs'

/** A file by its name, links followed, or by its descriptor. */
type FileReference = string | number

/**
 * Returns what is the same for all names of a file: links, relative paths, another case where the
 * file system knows no case. Undefined where there is no such file yet, and for devices such as
 * /dev/null, which any number may write to.
 */
export function fileIdentity(file: FileReference): string | undefined {
  const stats = statsOf(file)
  const isShared = stats === undefined || stats.isCharacterDevice()
  return isShared ? undefined : `${stats.dev}:${stats.ino}`
}

/** Returns whether two names are those of one file. */
export function isSameFile(one: FileReference, other: FileReference): boolean {
  const identity = fileIdentity(one)
  return identity !== undefined && identity === fileIdentity(other)
}

/** Returns whether something other than a regular file has the name: a pipe, a terminal, /dev/null. */
export function isDevice(file: FileReference): boolean {
  return statsOf(file)?.isFile() === false
}

/** Returns whether somebody reads what is written to a file, and may show it: a pipe, or a socket. */
export function isPipe(file: FileReference): boolean {
  const stats = statsOf(file)
  return stats !== undefined && (stats.isFIFO() || stats.isSocket())
}

/** What can't be looked at can't be opened either, and opening it tells why. */
function statsOf(file: FileReference): BigIntStats | undefined {
  try {
    return typeof file === 'number'
      ? fstatSync(file, { bigint: true })
      : statSync(file, { bigint: true })
  } catch {
    return undefined
  }
}
