import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { CrawlerError, codeOf, foundInstead } from '../errors.ts'
import { isDevice, isDirectory } from './file-identity.ts'
import { outputError } from './output-error.ts'

/**
 * Reads a file that `replaceFile` will replace. Returns undefined if it doesn't exist.
 * @param kind such as `cookie file`, for messages
 * @throws CrawlerError('usage') if it can't be read, or is a device
 */
export function readReplacedFile(
  file: string,
  kind: string,
  encoding: BufferEncoding,
): string | undefined {
  // A user who may write to its folder, such as root in /dev, would replace the device by a file.
  if (isDevice(file) && !isDirectory(file)) {
    const expected = `a ${kind}, which is written again at the end`
    throw new CrawlerError('usage', `${file}: expected ${expected}, got a device or a pipe`)
  }
  try {
    return readFileSync(file, encoding)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    const found = foundInstead(error)
    throw new CrawlerError('usage', `${file}: expected a readable ${kind}, got ${found}`)
  }
}

/**
 * Writes a file, which is replaced completely or not at all.
 * @throws CrawlerError('output')
 */
export function replaceFile(
  file: string,
  text: string,
  options: { readonly encoding?: BufferEncoding; readonly mode?: number } = {},
): void {
  const draft = `${file}.${process.pid}.tmp`
  try {
    // Other users with write access to the folder may have put a link in the place of the draft.
    rmSync(draft, { force: true })
    writeFileSync(draft, text, { ...options, flag: 'wx' })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw outputError(file, error)
  }
}
