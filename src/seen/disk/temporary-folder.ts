import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CrawlerError, messageOf } from '../../errors.ts'

const PREFIX = 'orbweaver-seen-'
const made = new Set<string>()

/**
 * Creates a folder for temporary files. It is removed when the process ends, unless the process is
 * killed.
 * @param name of the seen set
 * @throws CrawlerError('output') if the system refuses
 */
export function makeTemporaryFolder(name: string): string {
  try {
    const folder = mkdtempSync(join(tmpdir(), PREFIX))
    if (made.size === 0) process.once('exit', removeAll)
    made.add(folder)
    return folder
  } catch (cause) {
    throw new CrawlerError('output', whyNotTemporary(name, tmpdir(), cause), { cause })
  }
}

/** Explains why the system refuses to put files into a folder. */
export function whyNotTemporary(name: string, folder: string, cause: unknown): string {
  const [reason] = messageOf(cause).split(',')
  return `--seen ${name}: ${folder}: can't create temporary files there: ${reason}`
}

/** Removes a folder created by `makeTemporaryFolder` with its content; ignores others. */
export function removeTemporaryFolder(folder: string): void {
  if (!made.delete(folder)) return
  if (made.size === 0) process.off('exit', removeAll)
  rmSync(folder, { recursive: true, force: true })
}

function removeAll(): void {
  for (const folder of made) removeTemporaryFolder(folder)
}
