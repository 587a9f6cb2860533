import type { DatabaseSync } from 'node:sqlite'
import { domainOfHostKey } from '../../url/registrable-domain.ts'

/** Maximum of a sum, far more than any budget: even a sum over a damaged table stays a safe integer. */
const MAX_PAGES = 1e15

const TABLE = `
  CREATE TEMP TABLE IF NOT EXISTS domain_pages (domain TEXT PRIMARY KEY, pages INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  DELETE FROM domain_pages`

/**
 * The pages of registrable domains, in a temporary table. A resumed crawl computes it from the pages of hosts, so that
 * both agree, even if pages were read again or retried.
 */
export class DomainStore {
  readonly #database: DatabaseSync
  readonly #get
  readonly #put

  constructor(database: DatabaseSync) {
    database.exec(TABLE)
    this.#database = database
    this.#get = database.prepare('SELECT pages FROM domain_pages WHERE domain = ?')
    this.#put = database.prepare('INSERT OR REPLACE INTO domain_pages VALUES (?, ?)')
  }

  /** Returns the number of pages of a domain; 0 if it has no row. */
  get(domain: string): number {
    return Number(this.#get.get(domain)?.['pages'] ?? 0)
  }

  /** Stores the number of pages of a domain. */
  put(domain: string, pages: number): void {
    this.#put.run(domain, pages)
  }

  /** Adds up the pages of all hosts. */
  resume(): void {
    const domainOf = (key: unknown) => domainOfHostKey(String(key))
    this.#database.function('domain_of', { deterministic: true }, domainOf)
    this.#database.exec(`
      INSERT OR REPLACE INTO domain_pages
        SELECT domain_of(key) AS domain, CAST(min(total(pages), ${MAX_PAGES}) AS INTEGER)
        FROM hosts WHERE pages > 0 GROUP BY domain`)
  }
}
