import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'orbweaver-seen-'
const made = new Set<string>()

/** A new folder among the system's temporary files; it goes with the process, unless that is killed. */
export function makeTemporaryFolder(): string {
  if (made.size === 0) process.once('exit', removeAll)
  const folder = mkdtempSync(join(tmpdir(), PREFIX))
  made.add(folder)
  return folder
}

/** Removes a folder that was made here, with what is in it, open or not; leaves others alone. */
export function removeTemporaryFolder(folder: string): void {
  if (!made.delete(folder)) return
  if (made.size === 0) process.off('exit', removeAll)
  rmSync(folder, { recursive: true, force: true })
}

function removeAll(): void {
  for (const folder of made) removeTemporaryFolder(folder)
}
