import type { DatabaseSync } from 'node:sqlite'
import type { SeedHostFinding } from '../fetch/addresses/seed-hosts.ts'

const TABLE =
  'CREATE TABLE IF NOT EXISTS seed_hosts (host TEXT PRIMARY KEY, is_private INTEGER NOT NULL) STRICT, WITHOUT ROWID'

/**
 * The table `seed_hosts`: hosts of seeds with port, and whether their first look-ups found private
 * addresses.
 */
export class SeedHostStore {
  readonly #put
  readonly #all

  constructor(database: DatabaseSync) {
    database.exec(TABLE)
    this.#put = database.prepare(
      'INSERT OR IGNORE INTO seed_hosts (host, is_private) VALUES (?, ?)',
    )
    this.#all = database.prepare('SELECT host, is_private FROM seed_hosts')
  }

  add(findings: readonly SeedHostFinding[]): void {
    for (const { host, isPrivate } of findings) this.#put.run(host, Number(isPrivate))
  }

  all(): SeedHostFinding[] {
    const rows = this.#all.all()
    return rows.map((row) => ({ host: String(row['host']), isPrivate: row['is_private'] === 1 }))
  }
}
