import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'orbweaver-seen-'
const made = new Set<string>()

/**
 * Creates a folder for temporary files; it is removed when the process ends, unless that is killed.
 */
export function makeTemporaryFolder(): string {
  if (made.size === 0) process.once('exit', removeAll)
  const folder = mkdtempSync(join(tmpdir(), PREFIX))
  made.add(folder)
  return folder
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
