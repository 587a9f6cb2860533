import type { DatabaseSync } from 'node:sqlite'

const TABLE =
  'CREATE TABLE IF NOT EXISTS public_hosts (host TEXT PRIMARY KEY) STRICT, WITHOUT ROWID'

/**
 * The table `public_hosts`: hosts of seeds, each with its port, that were public when they were first looked up. A
 * later run goes to no private address there. That a seed was private is not kept: a directory opens nothing.
 */
export class PublicHosts {
  readonly #put
  readonly #all

  constructor(database: DatabaseSync) {
    database.exec(TABLE)
    this.#put = database.prepare('INSERT OR IGNORE INTO public_hosts (host) VALUES (?)')
    this.#all = database.prepare('SELECT host FROM public_hosts')
  }

  add(hosts: readonly string[]): void {
    for (const host of hosts) this.#put.run(host)
  }

  all(): string[] {
    return this.#all.all().map(({ host }) => String(host))
  }
}
