import type { DatabaseSync } from 'node:sqlite'
import { resolveConfig } from '../config/resolve-config.ts'
import type { ConfigInput } from '../config/schema.ts'
import {
  count,
  type Form,
  made,
  mapOf,
  pair,
  storedJson,
  unknown,
  wholeNumber,
} from '../database/stored-value.ts'
import type { HashKey } from '../seen/seen-set.ts'
import { checkTables } from './known-tables.ts'
import { ledgerForm, type SavedCrawl } from './ledger.ts'

const hashKeyForm = pair(wholeNumber, wholeNumber)
const settingsForm = mapOf(unknown)
const inputForm = made(isInput, 'settings of a crawl')

/** Content of the table `crawl` once a crawl has begun. */
export interface KeptCrawl {
  readonly saved: SavedCrawl
  readonly hashKey: HashKey
  readonly commits: number
}

/**
 * Reads the stored crawl of a database; undefined if none has begun.
 * @throws DamageError
 */
export function keptIn(database: DatabaseSync): KeptCrawl | undefined {
  const rows = database.prepare('SELECT name, value FROM crawl').all()
  if (rows.length === 0) return undefined
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  const read = <T>(name: string, form: Form<T>) => storedJson(form, values.get(name), name)
  checkTables(database, values.get('tables'))
  const settings = read('settings', settingsForm)
  const input = read('input', inputForm)
  const ledger = read('ledger', ledgerForm)
  return {
    saved: { settings, input, ledger },
    hashKey: read('hash-key', hashKeyForm),
    commits: read('commits', count),
  }
}

function isInput(value: unknown): value is ConfigInput {
  try {
    resolveConfig(value)
    return true
  } catch {
    return false
  }
}
