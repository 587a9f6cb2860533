import type { DatabaseSync } from 'node:sqlite'

/**
 * The rows of one archive in a table. The table is in the database of the crawl, so that one commit covers it and the
 * length of the file.
 */
export class ArchiveRows {
  /** Absolute name of the archive. */
  protected readonly file: string
  readonly #clear
  readonly #rename

  /** @param definition SQL that creates the table, which has the column `file` */
  constructor(database: DatabaseSync, table: string, definition: string, file: string) {
    database.exec(definition)
    this.file = file
    this.#clear = database.prepare(`DELETE FROM ${table} WHERE file = ?`)
    this.#rename = database.prepare(`UPDATE ${table} SET file = ? WHERE file = ?`)
  }

  /** Takes over the rows of an archive that had another name. */
  takeOver(former: string): void {
    this.clear()
    this.#rename.run(this.file, former)
  }

  /** Removes the rows of an earlier archive of that name. */
  clear(): void {
    this.#clear.run(this.file)
  }
}
