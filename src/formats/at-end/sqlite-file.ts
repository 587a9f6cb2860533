import { openNewDatabase } from '../../database/sqlite.ts'
import type { Derivation } from './derived-output.ts'
import { fillSiteTables } from './site-tables.ts'

/** Writes visits and links to a database whose empty file exists already. */
export function sqliteFile(name: string): Derivation {
  return (visits) => {
    const database = openNewDatabase(name)
    try {
      fillSiteTables(database, visits)
      database.exec('COMMIT')
    } finally {
      database.close()
    }
    return []
  }
}
