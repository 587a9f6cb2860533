import { open } from 'node:fs/promises'
import { compressionOf } from '../compressed-files/compression.ts'
import { countOf, formatCount } from '../english-text.ts'
import { CrawlerError } from '../errors.ts'

const NEWLINE = 0x0a

/**
 * Checks that a file still has the part that an earlier run committed. In a file that was edited meanwhile and became
 * longer, that part ends inside a line or a compressed member, and the last lines would be cut off.
 * @param size of the file
 * @param nextBytes the bytes with which a part of the file may begin; by default those of its compression, if any
 * @throws CrawlerError('state')
 */
export async function checkCommittedPart(
  name: string,
  position: number,
  size: number,
  nextBytes = magicOf(name),
): Promise<void> {
  if (size < position) throw lostBytesError(name, position, size)
  if (position > 0 && size > position && !(await mayEndAt(name, position, nextBytes)))
    throw committedPartError(name, position, 'others: restore it')
}

/** @param length bytes that are left of the file, or `none` if it is missing */
export function lostBytesError(
  name: string,
  position: number,
  length: number | 'none',
): CrawlerError {
  const got =
    length === 'none'
      ? 'none: move it back, or name it at its new place'
      : `${formatCount(length)}: restore it`
  return committedPartError(name, position, got)
}

function committedPartError(name: string, position: number, got: string): CrawlerError {
  const message = `${name}: expected the ${countOf(position, 'byte')} that the crawl had written, got ${got}, or continue with another file and --force`
  return new CrawlerError('state', message)
}

/** Returns the first byte of compressed text; undefined if the file has plain lines. */
function magicOf(name: string): readonly number[] | undefined {
  const magic = compressionOf(name)?.empty[0]
  return magic === undefined ? undefined : [magic]
}

/** Returns whether a position may be the end of a line, or of a part before one that begins with these bytes. */
async function mayEndAt(
  name: string,
  position: number,
  nextBytes: readonly number[] | undefined,
): Promise<boolean> {
  const bytes = Buffer.alloc(2)
  const handle = await open(name)
  try {
    await handle.read(bytes, 0, bytes.length, position - 1)
  } finally {
    await handle.close()
  }
  const [last, next = 0] = bytes
  // A power cut may leave zeros after the committed part.
  return nextBytes === undefined ? last === NEWLINE : nextBytes.includes(next) || next === 0
}
