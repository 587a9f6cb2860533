import { openNewDatabase } from '../../database/sqlite.ts'
import type { Derivation } from './derived-output.ts'
import { fillSite } from './site-tables.ts'

/** A database of visits and links; the file is there, and empty. */
export function sqliteFile(name: string): Derivation {
  return (visits) => {
    const database = openNewDatabase(name)
    try {
      fillSite(database, visits)
      database.exec('COMMIT')
    } finally {
      database.close()
    }
    return []
  }
}
