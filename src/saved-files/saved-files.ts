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

/**
 * `saved` maps the URLs of a folder to their files or redirect targets; `saved_names` lists the
 * names that are taken there; `saved_numbers` has the last number added to a name that many URLs
 * share. All are in the crawl's database, so that one commit covers them and the frontier.
 */
const TABLES = `
  CREATE TABLE IF NOT EXISTS saved (
    folder TEXT NOT NULL, url TEXT NOT NULL, file TEXT, type TEXT NOT NULL, charset TEXT,
    redirects_to TEXT, PRIMARY KEY (folder, url)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS saved_names (
    folder TEXT NOT NULL, name TEXT NOT NULL, is_folder INTEGER NOT NULL,
    PRIMARY KEY (folder, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS saved_numbers (
    folder TEXT NOT NULL, stem TEXT NOT NULL, extension TEXT NOT NULL, number INTEGER NOT NULL,
    PRIMARY KEY (folder, stem, extension)
  ) STRICT, WITHOUT ROWID`
/** Extension of folders in `saved_numbers`; no file has it. */
const FOLDER_EXTENSION = '/'

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
  readonly #findRow
  readonly #put
  readonly #all
  readonly #types
  readonly #nameOf
  readonly #take
  readonly #numberOf
  readonly #number

  /** @param folder absolute name */
  constructor(database: DatabaseSync, folder: string) {
    database.exec(TABLES)
    this.#database = database
    this.#folder = folder
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
    this.#nameOf = database.prepare(
      'SELECT is_folder FROM saved_names WHERE folder = ? AND name = ?',
    )
    this.#take = database.prepare(
      'INSERT OR IGNORE INTO saved_names (folder, name, is_folder) VALUES (?, ?, ?)',
    )
    this.#numberOf = database.prepare(
      'SELECT number FROM saved_numbers WHERE folder = ? AND stem = ? AND extension = ?',
    )
    this.#number = database.prepare(
      'INSERT OR REPLACE INTO saved_numbers (folder, stem, extension, number) VALUES (?, ?, ?, ?)',
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
    for (const table of ['saved', 'saved_names', 'saved_numbers']) {
      this.#database.prepare(`DELETE FROM ${table} WHERE folder = ?`).run(this.#folder)
      const move = this.#database.prepare(`UPDATE ${table} SET folder = ? WHERE folder = ?`)
      move.run(this.#folder, former)
    }
  }

  /** Returns the file for a response: the same as before, or an unused one. */
  assignFile({ url, type, charset }: SavedResponse): string {
    const before = this.#find(url)
    const file = (before?.type === type ? before.file : null) ?? this.#newFile(url, type)
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

  #newFile(url: string, type: string): string {
    const { folders, stem, extension } = fileNameOf(url, type)
    const folder = folders.reduce((path, name) => this.#enter(`${path}${name}`), '')
    const file = this.#firstFree(`${folder}${stem}`, extension)
    this.#take.run(this.#folder, caseFolded(file), 0)
    return file
  }

  /**
   * Reserves a folder of that name, or a numbered one if a file has the name. Returns its path,
   * with a slash at the end.
   */
  #enter(path: string): string {
    const name = this.#firstFree(path, FOLDER_EXTENSION)
    this.#take.run(this.#folder, caseFolded(name), 1)
    return `${name}/`
  }

  /** Returns the name if it is free, and otherwise the first free one with a number. */
  #firstFree(stem: string, extension: string): string {
    const ending = extension === FOLDER_EXTENSION ? '' : extension
    if (this.#isFree(stem + ending, extension)) return stem + ending
    const key = [this.#folder, caseFolded(stem), caseFolded(extension)] as const
    // Continue from the last number: the numbers before it stay taken, and there may be many.
    for (let number = Number(this.#numberOf.get(...key)?.['number'] ?? 2); ; number++) {
      const name = `${stem}-${number}${ending}`
      if (!this.#isFree(name, extension)) continue
      this.#number.run(...key, number)
      return name
    }
  }

  /** Returns whether a name can be used; a folder's name can be used repeatedly. */
  #isFree(name: string, extension: string): boolean {
    const isFolder = this.#nameOf.get(this.#folder, caseFolded(name))?.['is_folder']
    return extension === FOLDER_EXTENSION ? isFolder !== 0 : isFolder === undefined
  }
}

function isEncoding(value: unknown): value is string {
  return typeof value === 'string' && encodingOf(value) !== undefined
}

function isInsideFolder(value: unknown): value is string {
  if (typeof value !== 'string' || /\p{Cc}/u.test(value)) return false
  return !value.split('/').some((part) => /^\.{0,2}$/.test(part))
}

/** Returns a key that is equal for names that case-insensitive systems treat as one. */
function caseFolded(name: string): string {
  return name.toUpperCase().toLowerCase().normalize('NFC')
}
