import type { DatabaseSync } from 'node:sqlite'

/**
 * A private database in a file of its own that the system removes when it is closed, however the
 * process ends: SQLite unlinks it right after opening. Only pages beyond the cache reach the disk.
 */
export function openTemporaryDatabase(): DatabaseSync {
  const database = new (loadQuietly().DatabaseSync)('')
  // One transaction from open to close: there is nothing to be made durable, and each commit would
  // cost as much as ten statements.
  database.exec('PRAGMA journal_mode = OFF; PRAGMA cache_size = -65536; BEGIN')
  return database
}

/** Node 22 warns on stderr when `node:sqlite` is loaded; stderr is for the log. */
function loadQuietly(): typeof import('node:sqlite') {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}
