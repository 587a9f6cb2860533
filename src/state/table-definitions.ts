import type { DatabaseSync } from 'node:sqlite'
import { dictionary, parseStoredJson, text } from '../database/validate-stored-values.ts'
import { DamageError } from '../errors.ts'

/** SQL definitions of tables and indexes, by name. */
const definitionsSchema = dictionary(text)

const DEFINITIONS = 'SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL'

/**
 * Records the definitions of a database's tables, so that a missing table is noticed. Otherwise it
 * would be created again, and its rows would be lost silently.
 */
export class TableDefinitions {
  readonly #database: DatabaseSync
  readonly #version
  #storedVersion: unknown

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#version = database.prepare('PRAGMA schema_version')
  }

  /** Returns the definitions to store; undefined if unchanged since the last call. */
  changedDefinitions(): Readonly<Record<string, string>> | undefined {
    const version = this.#version.get()?.['schema_version']
    if (version === this.#storedVersion) return undefined
    this.#storedVersion = version
    return definitionsIn(this.#database)
  }
}

/**
 * Checks that all tables are as they were created.
 * @param kept JSON of the stored definitions
 * @throws DamageError when a table is missing or different
 */
export function checkDefinitions(database: DatabaseSync, kept: unknown): void {
  const now = definitionsIn(database)
  for (const [name, sql] of Object.entries(parseStoredJson(definitionsSchema, kept, 'tables'))) {
    if (now[name] === undefined) throw new DamageError(`${name} is missing`)
    if (now[name] !== sql)
      throw new DamageError(`${name} has another definition than when it was created`)
  }
}

function definitionsIn(database: DatabaseSync): Record<string, string> {
  const rows = database.prepare(DEFINITIONS).all()
  return Object.fromEntries(rows.map(({ name, sql }) => [String(name), String(sql)]))
}
