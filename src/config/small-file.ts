import { closeSync, openSync, readSync } from 'node:fs'
import { CrawlerError, foundInstead } from '../errors.ts'
import { Secret } from '../secret.ts'

/** Maximum bytes of a file. The certificate list of an operating system has a quarter of that. */
const MAX_BYTES = 2 ** 20

/**
 * Returns the text of a file that the user named, of at most 1 MiB.
 * @param expected words for the file in messages
 * @throws CrawlerError('usage') when the file can't be read, or is larger
 */
export function readSmallFile(file: string, expected: string): string {
  const text = readStart(file, expected)
  if (text.length <= MAX_BYTES) return text.toString('utf8').replace(/^\uFEFF/, '')
  throw new CrawlerError('usage', `${file}: expected ${expected} of at most 1 MiB`)
}

/**
 * Returns the only line of a file.
 * @param expected words for the file in messages
 * @throws CrawlerError('usage') when the file can't be read, is empty, or has several lines
 */
export function readSecretLine(file: string, expected: string): Secret {
  const [line = '', ...more] = readSmallFile(file, expected)
    .replace(/[\r\n]+$/, '')
    .split(/\r?\n/)
  if (line !== '' && more.length === 0) return new Secret(line)
  throw new CrawlerError('usage', `${file}: expected ${expected} with one line`)
}

/** Returns the start of a file, which may be a pipe: at most one byte more than the limit. */
function readStart(file: string, expected: string): Buffer {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'r')
    const bytes = Buffer.alloc(MAX_BYTES + 1)
    let length = 0
    for (let count = -1; count !== 0 && length < bytes.length; length += count) {
      count = readSync(descriptor, bytes, length, bytes.length - length, null)
    }
    return bytes.subarray(0, length)
  } catch (error) {
    throw new CrawlerError('usage', `${file}: expected ${expected}, got ${foundInstead(error)}`)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
