import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Files in memory, on Linux. */
const MEMORY = '/dev/shm'
/** Bytes that a run of the tests may take there: several times what it takes. */
const ROOM = 2 * 2 ** 30

/**
 * Gives a run of the tests a directory for temporary files. Returns a function that removes it: servers that all tests
 * of a process share, and processes that tests kill, leave files.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(placeOfFiles(), 'orbweaver-tests-'))
  // A browser that root starts runs as another user.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  // A server that ends at the same time may still write.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

/** Returns a directory that waits for no disk, if there is one: what tests commit is kept durably, time and again. */
function placeOfFiles(): string {
  if (process.env['TMPDIR'] !== undefined) return tmpdir()
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > ROOM ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}
