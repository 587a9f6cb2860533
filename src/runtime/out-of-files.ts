import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { CrawlerError, codeOf, messageOf } from '../errors.ts'

/** Error codes at the limits of open files of this process and of the system. */
const CODES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE'])

/** Milliseconds before the next attempt: the first pause, and the longest one. */
const FIRST_WAIT_MS = 20
const MAX_WAIT_MS = 1_000

/** Milliseconds after which to give up: no file is expected to be closed anymore. */
const PATIENCE_MS = 120_000

/** Number of files that a look-up of a name opens at the same time. */
const FILES_OF_LOOKUP = 4

/** The error if as many files and sockets are open as the system, or a limit of the crawler, allows. */
export class OutOfFiles extends Error {
  override readonly name = 'OutOfFiles'
  readonly code = 'EMFILE'
}

/** Returns whether an error means that too many files and sockets are open on this machine. */
export function isOutOfFiles(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.some(isOutOfFiles)) return true
  return CODES.has(codeOf(error))
}

/** Returns whether too few files can be opened for a look-up, which then fails as if the name didn't exist. */
export function isShortOfFiles(): boolean {
  const opened: number[] = []
  try {
    for (let n = 0; n < FILES_OF_LOOKUP; n++) opened.push(openSync(devNull, 'r'))
    return false
  } catch (error) {
    return isOutOfFiles(error)
  } finally {
    for (const file of opened) closeSync(file)
  }
}

/**
 * Repeats an attempt, with growing pauses, as long as too many files are open.
 * @param relieve closes unneeded files and sockets; called before each pause
 * @throws CrawlerError('usage') if too many files are still open after two minutes
 */
export async function untilFilesAreFree<T>(
  attempt: () => Promise<T>,
  relieve: () => void = () => {},
): Promise<T> {
  const started = performance.now()
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, MAX_WAIT_MS)) {
    try {
      return await attempt()
    } catch (error) {
      if (!isOutOfFiles(error)) throw error
      if (performance.now() - started > PATIENCE_MS) throw shortage(error)
    }
    relieve()
    await sleep(wait * (0.5 + Math.random()))
  }
}

function shortage(cause: unknown): CrawlerError {
  const seconds = PATIENCE_MS / 1_000
  const message = `no file or socket could be opened for ${seconds} s (${messageOf(cause)}): raise the limit of open files (ulimit -n)`
  return new CrawlerError('usage', message, { cause })
}
