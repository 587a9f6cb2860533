import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import {
  guarded,
  httpUrl,
  nullable,
  parseStored,
  record,
  type StoredValue,
  text,
} from '../database/validate-stored-values.ts'
import { encodingOf } from '../html/charset/decode-page.ts'
import type { OutputOpener } from '../output/output-opener.ts'
import { fileNameOf } from './file-name.ts'
import { NAME_TABLES, TakenNames } from './taken-names.ts'

/**
 * `saved` maps the URLs of a folder to their files or redirect targets. It is in the crawl's database, so that one commit
 * covers it and the frontier.
 */
const TABLE = `
  CREATE TABLE IF NOT EXISTS saved (
    folder TEXT NOT NULL, url TEXT NOT NULL, file TEXT, type TEXT NOT NULL, charset TEXT,
    redirects_to TEXT, PRIMARY KEY (folder, url)
  ) STRICT, WITHOUT ROWID`

/** Maximum number of redirects in a row that are followed to a file. */
const MAX_REDIRECTS = 20

/** Properties of a response that decide its file. */
interface SavedResponse {
  readonly url: string
  /** Content type in lower case, without parameters; empty if there was none. */
  readonly type: string
  /** Encoding of an HTML page. */
  readonly charset?: string | undefined
}

export interface SavedFile extends SavedResponse {
  /** Relative to the folder, with `/` between segments. */
  readonly file: string
}

const fileSchema = guarded(isInsideFolder, 'a file of the folder')
const savedRowSchema = record({
  file: nullable(fileSchema),
  type: text,
  redirects_to: nullable(text),
})
const charsetSchema = guarded(isEncoding, 'an encoding')
const savedFileSchema = record({
  url: httpUrl,
  file: fileSchema,
  type: text,
  charset: nullable(charsetSchema),
})

/** The files of a folder, and the redirects that lead to them, by URL. */
export class SavedFiles {
  readonly #database: DatabaseSync
  readonly #folder: string
  readonly #names: TakenNames
  readonly #findRow
  readonly #put
  readonly #all
  readonly #types

  /** @param folder absolute name */
  constructor(database: DatabaseSync, folder: string) {
    database.exec(TABLE)
    this.#database = database
    this.#folder = folder
    this.#names = new TakenNames(database, folder)
    this.#findRow = database.prepare(
      'SELECT file, type, redirects_to FROM saved WHERE folder = ? AND url = ?',
    )
    this.#put = database.prepare(
      `INSERT OR REPLACE INTO saved (folder, url, file, type, charset, redirects_to)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    this.#all = database.prepare(
      'SELECT url, file, type, charset FROM saved WHERE folder = ? AND file IS NOT NULL',
    )
    this.#types = database.prepare(
      'SELECT DISTINCT type FROM saved WHERE folder = ? AND file IS NOT NULL',
    )
  }

  /** Returns the files of a folder, which an earlier run may have opened by another name. */
  static open(name: string, opener: Pick<OutputOpener, 'database' | 'formerName'>): SavedFiles {
    const files = new SavedFiles(opener.database, resolve(name))
    const former = opener.formerName(name)
    if (former !== undefined) files.takeOver(former)
    return files
  }

  /** Takes over the files of a folder that had another name. */
  takeOver(former: string): void {
    for (const table of ['saved', ...NAME_TABLES]) {
      this.#database.prepare(`DELETE FROM ${table} WHERE folder = ?`).run(this.#folder)
      const move = this.#database.prepare(`UPDATE ${table} SET folder = ? WHERE folder = ?`)
      move.run(this.#folder, former)
    }
  }

  /** Returns the file for a response: the same as before, or an unused one. */
  assignFile({ url, type, charset }: SavedResponse): string {
    const before = this.#find(url)
    const file =
      (before?.type === type ? before.file : null) ?? this.#names.takeFile(fileNameOf(url, type))
    this.#put.run(this.#folder, url, file, type, charset ?? null, null)
    return file
  }

  addRedirect(url: string, redirectsTo: string): void {
    this.#put.run(this.#folder, url, null, '', null, redirectsTo)
  }

  /** Returns the file of a URL or of its redirect target; undefined when that was not saved. */
  fileOf(url: string): string | undefined {
    let target = url
    for (let steps = 0; steps <= MAX_REDIRECTS; steps++) {
      const row = this.#find(target)
      if (typeof row?.file === 'string') return row.file
      if (typeof row?.redirects_to !== 'string') return undefined
      target = row.redirects_to
    }
    return undefined
  }

  /** Returns the content types of the files. */
  types(): string[] {
    return this.#types.all(this.#folder).map(({ type }) => parseStored(text, type, 'saved.type'))
  }

  *all(): Generator<SavedFile> {
    for (const row of this.#all.iterate(this.#folder)) {
      const { charset, ...saved } = parseStored(savedFileSchema, row, 'saved')
      yield charset === null ? saved : { ...saved, charset }
    }
  }

  #find(url: string): StoredValue<typeof savedRowSchema> | undefined {
    const row = this.#findRow.get(this.#folder, url)
    return row && parseStored(savedRowSchema, row, 'saved')
  }
}

function isEncoding(value: unknown): value is string {
  return typeof value === 'string' && encodingOf(value) !== undefined
}

/** Returns whether a stored path stays in its folder on all systems: Windows reads `\` as `/`, and `:` after a drive. */
function isInsideFolder(value: unknown): value is string {
  if (typeof value !== 'string' || /[\p{Cc}\\:]/u.test(value)) return false
  return !value.split('/').some((part) => /^\.{0,2}$/.test(part))
}
