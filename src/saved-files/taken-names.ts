import type { DatabaseSync } from 'node:sqlite'
import type { FileName } from './file-name.ts'

/**
 * `saved_names` lists the names that are taken in a folder; `saved_numbers` has the last number added to a name that many
 * URLs share.
 */
const TABLES = `
  CREATE TABLE IF NOT EXISTS saved_names (
    folder TEXT NOT NULL, name TEXT NOT NULL, is_folder INTEGER NOT NULL,
    PRIMARY KEY (folder, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS saved_numbers (
    folder TEXT NOT NULL, stem TEXT NOT NULL, extension TEXT NOT NULL, number INTEGER NOT NULL,
    PRIMARY KEY (folder, stem, extension)
  ) STRICT, WITHOUT ROWID`
/** The tables of `TakenNames`, which have the column `folder`. */
export const NAME_TABLES: readonly string[] = ['saved_names', 'saved_numbers']
/** Extension of folders in `saved_numbers`; no file has it. */
const FOLDER_EXTENSION = '/'

/** The names that are taken in a folder, so that no two files share one, even if the system ignores case. */
export class TakenNames {
  readonly #folder: string
  readonly #find
  readonly #take
  readonly #findNumber
  readonly #putNumber

  /** @param folder absolute name */
  constructor(database: DatabaseSync, folder: string) {
    database.exec(TABLES)
    this.#folder = folder
    this.#find = database.prepare('SELECT is_folder FROM saved_names WHERE folder = ? AND name = ?')
    this.#take = database.prepare(
      'INSERT OR IGNORE INTO saved_names (folder, name, is_folder) VALUES (?, ?, ?)',
    )
    this.#findNumber = database.prepare(
      'SELECT number FROM saved_numbers WHERE folder = ? AND stem = ? AND extension = ?',
    )
    this.#putNumber = database.prepare(
      'INSERT OR REPLACE INTO saved_numbers (folder, stem, extension, number) VALUES (?, ?, ?, ?)',
    )
  }

  /** Takes a name, with a number if it isn't free. Returns the path of the file, relative to the folder. */
  takeFile({ folders, stem, extension }: FileName): string {
    const folder = folders.reduce((path, name) => this.#takeFolder(`${path}${name}`), '')
    const file = this.#firstFree(`${folder}${stem}`, extension)
    this.#take.run(this.#folder, caseFolded(file), 0)
    return file
  }

  /** Takes a name for a folder, with a number if a file has it. Returns its path, with a slash at the end. */
  #takeFolder(path: string): string {
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
    for (let number = Number(this.#findNumber.get(...key)?.['number'] ?? 2); ; number++) {
      const name = `${stem}-${number}${ending}`
      if (!this.#isFree(name, extension)) continue
      this.#putNumber.run(...key, number)
      return name
    }
  }

  /** Returns whether a name can be used; a folder's name can be used repeatedly. */
  #isFree(name: string, extension: string): boolean {
    const isFolder = this.#find.get(this.#folder, caseFolded(name))?.['is_folder']
    return extension === FOLDER_EXTENSION ? isFolder !== 0 : isFolder === undefined
  }
}

/** Returns a key that is equal for names that case-insensitive systems treat as one. */
function caseFolded(name: string): string {
  // Only the first step turns a capital ẞ into ß, which the second one turns into SS.
  return name.toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
}
