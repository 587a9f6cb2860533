import type { DatabaseSync } from 'node:sqlite'
import {
  count,
  list,
  nullable,
  parseStored,
  parseStoredJson,
  record,
  text,
  wholeNumber,
} from '../../database/validate-stored-values.ts'
import type { AliasTable, MarkEvidence, VisitedPage } from '../../traps/alias-table.ts'

const plainUrlSchema = record({
  url: wholeNumber,
  shown: nullable(wholeNumber),
  words: nullable(wholeNumber),
})

const markSchema = record({
  host: text,
  mark: text,
  same: count,
  same_words: count,
  different: count,
  pages: text,
})

const markPagesSchema = list(wholeNumber)

const MARK_COLUMNS = 'host, mark, same, same_words, different, pages'

/** The tables `plain_urls` and `url_marks`. */
export class AliasStore implements AliasTable {
  readonly #find
  readonly #add
  readonly #findMark
  readonly #putMark
  readonly #marks

  constructor(database: DatabaseSync) {
    this.#find = database.prepare('SELECT url, shown, words FROM plain_urls WHERE key = ?')
    this.#add = database.prepare(
      'INSERT OR REPLACE INTO plain_urls (key, url, shown, words) VALUES (?, ?, ?, ?)',
    )
    this.#findMark = database.prepare(`SELECT ${MARK_COLUMNS} FROM url_marks WHERE key = ?`)
    this.#putMark = database.prepare(
      `INSERT OR REPLACE INTO url_marks (key, ${MARK_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#marks = database.prepare(
      `SELECT ${MARK_COLUMNS} FROM url_marks WHERE same + same_words >= ?`,
    )
  }

  find(key: number): VisitedPage | undefined {
    const row = this.#find.get(key)
    if (row === undefined) return undefined
    const { url, shown, words } = parseStored(plainUrlSchema, row, 'plain_urls')
    const hashes = shown === null || words === null ? undefined : { all: shown, words }
    return { url, hashes }
  }

  put(key: number, { url, hashes }: VisitedPage): void {
    this.#add.run(key, url, hashes?.all ?? null, hashes?.words ?? null)
  }

  evidence(key: number): MarkEvidence | undefined {
    const row = this.#findMark.get(key)
    return row && evidenceOf(row)
  }

  putEvidence(key: number, evidence: MarkEvidence): void {
    const { host, mark, same, sameWords, different, pages } = evidence
    this.#putMark.run(key, host, mark, same, sameWords, different, JSON.stringify(pages))
  }

  marksSince(same: number): MarkEvidence[] {
    return this.#marks.all(same).map(evidenceOf)
  }
}

function evidenceOf(row: unknown): MarkEvidence {
  const { same_words: sameWords, pages, ...mark } = parseStored(markSchema, row, 'url_marks')
  return { ...mark, sameWords, pages: parseStoredJson(markPagesSchema, pages, 'url_marks.pages') }
}
