import { open } from 'node:fs/promises'
import { compressionOf } from '../compressed-files/compression.ts'
import { countOf, formatCount } from '../english-text.ts'
import { CrawlerError } from '../errors.ts'

const NEWLINE = 0x0a

/**
 * Checks that a file still has the part that an earlier run committed. In a text that was edited meanwhile and became
 * longer, that part ends inside a line, and the last lines would be cut off.
 * @param size of the file
 * @throws CrawlerError('state')
 */
export async function checkCommittedPart(
  name: string,
  position: number,
  size: number,
): Promise<void> {
  if (size < position) throw lostBytesError(name, position, size)
  const isText = compressionOf(name) === undefined
  if (isText && position > 0 && size > position && !(await endsLine(name, position)))
    throw committedPartError(name, position, 'others: restore it')
}

/** @param length bytes that are left of the file, or `none` if it is missing */
export function lostBytesError(
  name: string,
  position: number,
  length: number | 'none',
): CrawlerError {
  const got = length === 'none' ? 'none: move it back' : `${formatCount(length)}: restore it`
  return committedPartError(name, position, got)
}

function committedPartError(name: string, position: number, got: string): CrawlerError {
  const message = `${name}: expected the ${countOf(position, 'byte')} that the crawl had written, got ${got}, or continue with another file and --force`
  return new CrawlerError('state', message)
}

/** Returns whether a line of a file ends at a position. */
async function endsLine(name: string, position: number): Promise<boolean> {
  const byte = Buffer.alloc(1)
  const handle = await open(name)
  try {
    await handle.read(byte, 0, 1, position - 1)
  } finally {
    await handle.close()
  }
  return byte[0] === NEWLINE
}
