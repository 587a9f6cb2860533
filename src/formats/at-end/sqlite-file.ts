import { openNewDatabase } from '../../database/sqlite.ts'
import { databaseFileError } from '../../database/temporary-database-error.ts'
import type { Derivation } from './derived-output.ts'
import { fillSiteTables } from './site-tables.ts'

const LINKS_INDEX_AND_VIEW = `
  CREATE INDEX links_targets ON links (target);
  CREATE VIEW link_urls AS
    SELECT page.url AS page, target.url AS target, hop
    FROM links JOIN urls AS page ON page.id = links.page JOIN urls AS target ON target.id = links.target`

/** Writes visits and links to a database whose empty file exists already. */
export function sqliteFile(name: string): Derivation {
  return function* write(visits) {
    const database = openNewDatabase(name)
    try {
      yield* fillSiteTables(database, visits)
      database.exec(`${LINKS_INDEX_AND_VIEW}; COMMIT`)
    } catch (error) {
      throw databaseFileError(name, error)
    } finally {
      database.close()
    }
  }
}
