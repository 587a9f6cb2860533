import type { DatabaseSync } from 'node:sqlite'
import { count, guarded, parseStored, record } from '../database/validate-stored-values.ts'
import { NearIndex } from './near-index.ts'

/** The kind of duplicates: pages with the same content, or with nearly the same text. */
export type ContentDedup = 'exact' | 'near'

const TABLE = `
  CREATE TABLE IF NOT EXISTS contents (
    id INTEGER PRIMARY KEY,
    url INTEGER NOT NULL UNIQUE,
    fingerprint TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS contents_by_fingerprint ON contents (fingerprint);
`

/** Hexadecimal digits of a SimHash of 64 bits. Other fingerprints have another length. */
const NEAR_DIGITS = 16

const nearSchema = record({ url: count, fingerprint: guarded(isNear, 'a SimHash') })

/**
 * The content-seen test (Heydon & Najork, Mercator 1999). The table `contents` stores the fingerprint of
 * each page that was the first with its content, with the id of its URL, in the order in which pages were settled.
 * Near duplicates are found by an index in memory, which is built from the table.
 */
export class FingerprintStore {
  readonly #near: NearIndex | undefined
  readonly #put
  readonly #drop
  readonly #own
  readonly #same

  constructor(database: DatabaseSync, kind: ContentDedup) {
    const isOther = `(length(fingerprint) = ${NEAR_DIGITS}) <> ${kind === 'near'}`
    // A crawl that was resumed with --force may have left fingerprints of the other kind.
    database.exec(`${TABLE} DELETE FROM contents WHERE ${isOther}`)
    this.#put = database.prepare('INSERT INTO contents (url, fingerprint) VALUES (?, ?)')
    this.#drop = database.prepare('DELETE FROM contents WHERE url = ?')
    this.#own = database.prepare('SELECT fingerprint FROM contents WHERE url = ?')
    this.#same = database.prepare('SELECT url FROM contents WHERE fingerprint = ? LIMIT 1')
    this.#near = kind === 'near' ? nearIndexOf(database) : undefined
  }

  /**
   * Stores the fingerprint of a page, unless another page had this content before. Removes the page's old fingerprint.
   * @param id id of the page's URL
   * @returns the id of the URL that had this content first; undefined if it is this page's URL
   */
  claim(id: number, fingerprint: string): number | undefined {
    if (this.#own.get(id)?.['fingerprint'] === fingerprint) return undefined
    this.forget(id)
    const first = this.#find(fingerprint)
    if (first !== undefined) return first
    this.#put.run(id, fingerprint)
    this.#near?.add(...wordsOf(fingerprint), id)
    return undefined
  }

  /** Removes the fingerprint of a page, if it has one: the page no longer has that content. */
  forget(id: number): void {
    const before = this.#own.get(id)?.['fingerprint']
    if (typeof before !== 'string') return
    this.#drop.run(id)
    this.#near?.remove(...wordsOf(before), id)
  }

  #find(fingerprint: string): number | undefined {
    if (this.#near !== undefined) return this.#near.find(...wordsOf(fingerprint))
    const row = this.#same.get(fingerprint)
    return row && parseStored(count, row['url'], 'contents.url')
  }
}

function nearIndexOf(database: DatabaseSync): NearIndex {
  const index = new NearIndex()
  const rows = database.prepare('SELECT url, fingerprint FROM contents ORDER BY id').iterate()
  for (const row of rows) {
    const { url, fingerprint } = parseStored(nearSchema, row, 'contents')
    index.add(...wordsOf(fingerprint), url)
  }
  return index
}

function isNear(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{16}$/.test(value)
}

function wordsOf(fingerprint: string): [first: number, second: number] {
  const half = NEAR_DIGITS / 2
  const word = (text: string) => Number.parseInt(text, 16) | 0
  return [word(fingerprint.slice(0, half)), word(fingerprint.slice(half))]
}
