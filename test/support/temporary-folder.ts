import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm'
/** Bytes that a run of the tests may need there: several times what it uses. */
const ROOM = 2 * 2 ** 30

/**
 * Creates a directory for temporary files of a test run. Returns a function that removes it, since servers shared by
 * all tests of a process, and processes that tests kill, leave files.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(placeOfFiles(), 'orbweaver-tests-'))
  // A browser that root starts runs as another user.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  // A server that ends at the same time may still write.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

/** Returns a directory that doesn't wait for a disk, if there is one, since tests often make commits durable. */
function placeOfFiles(): string {
  if (process.env['TMPDIR'] !== undefined) return tmpdir()
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > ROOM ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}
