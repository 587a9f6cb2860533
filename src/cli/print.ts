import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { replaceControls } from '../escape-controls.ts'
import { CrawlerError, outputError } from '../index.ts'
import { hideLogins } from '../secret.ts'
import { EXIT_CODE_OF } from './exit-code.ts'
import type { World } from './world.ts'

/**
 * Writes texts to stdout as they come. A reader that has gone wants no more: no error.
 * @throws CrawlerError('output') when stdout can't be written, for a full disk for one
 */
export async function print(texts: Iterable<string>, { stdout }: World): Promise<void> {
  await pipeline(Readable.from(texts), stdout, { end: false }).catch(heedReader)
}

function heedReader(error: NodeJS.ErrnoException): void {
  const isGone = error.code === 'EPIPE' || error.code === 'ECONNRESET'
  if (isGone || error.code === 'ERR_STREAM_PREMATURE_CLOSE') return
  if (error.syscall !== 'write') throw error
  throw outputError('stdout', error)
}

/**
 * Sites have a say in some messages: what they say must not move the cursor of a terminal. And a URL with a password
 * may stand where none was expected.
 */
export function tell(message: string, { stderr }: World): void {
  for (const line of message.split('\n')) {
    stderr.write(`crawl: ${replaceControls(hideLogins(line))}\n`)
  }
}

/** Tells an error that is meant for users; gives its exit code. */
export function tellError(error: unknown, world: World): number {
  if (!(error instanceof CrawlerError)) throw error
  tell(error.message, world)
  return EXIT_CODE_OF[error.kind]
}
