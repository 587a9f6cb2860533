import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Gives a run of the tests a directory for temporary files. Returns a function that removes it: servers that all tests
 * of a process share, and processes that tests kill, leave files.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-tests-'))
  // A browser that root starts runs as another user.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  // A server that ends at the same time may still write.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}
