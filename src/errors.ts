import { inspect, types } from 'node:util'

/** Kinds of failure that a caller can act on; the CLI maps each to an exit code. */
export const FAILURE_KINDS = ['usage', 'output', 'state', 'redis'] as const
export type FailureKind = (typeof FAILURE_KINDS)[number]

/** An error whose message is one clear sentence for the user, shown without a stack trace. */
export class CrawlerError extends Error {
  override readonly name = 'CrawlerError'
  /** The cause: the settings or the command (`usage`), or what failed. */
  readonly kind: FailureKind

  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Thrown when a stored value is not in the form that this program writes, because it was damaged or edited. */
export class DamageError extends Error {
  override readonly name = 'DamageError'
}

/** Descriptions of what was found instead of a readable file, by the code of the system's error. */
const FOUND: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'one that you may not read'],
  ['EISDIR', 'a folder'],
  ['ENOENT', 'no file'],
])
/** Codes of errors of gzip and zstd. */
const DAMAGED = /^Z_|^ZSTD_/

/** Describes what was found instead of a readable file, for messages. */
export function foundInstead(error: unknown): string {
  const code = codeOf(error)
  if (DAMAGED.test(code)) return `damaged compressed data (${messageOf(error)})`
  return FOUND.get(code) ?? messageOf(error)
}

/** Reasons why the system refuses to write a file, by the code of its error. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'operation not permitted'],
  ['EROFS', 'its file system is read-only'],
])

/** The paths at the end of a message of Node. They may lead through a descriptor: `/proc/self/fd/23/1-16`. */
const PATHS = /(?<=, [a-z]+) '.*'$/s

/** Returns why a file can't be written, for messages that name it. */
export function reasonNotToWrite(error: unknown): string {
  return REFUSALS.get(codeOf(error)) ?? messageOf(error).replace(PATHS, '')
}

/** Returns the code of an error of the system, of Node or of OpenSSL; empty if it has none. */
export function codeOf(thrown: unknown): string {
  if (!isError(thrown) || !('code' in thrown)) return ''
  return typeof thrown.code === 'string' ? thrown.code : ''
}

/** Returns the message of anything that can be thrown. */
export function messageOf(thrown: unknown): string {
  if (isError(thrown)) return String(thrown.message)
  // Not every object has a `toString`, and most say only [object Object].
  return typeof thrown === 'object' ? inspect(thrown, { breakLength: Infinity }) : String(thrown)
}

/** Returns whether a value is an error, even if its class is of another realm: in Jest, Node's own errors are. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value)
}
