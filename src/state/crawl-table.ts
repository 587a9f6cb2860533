import type { DatabaseSync } from 'node:sqlite'
import { resolveConfig } from '../config/resolve-config.ts'
import type { ConfigInput } from '../config/schema.ts'
import {
  count,
  dictionary,
  guarded,
  pair,
  parseStoredJson,
  type Schema,
  text,
  unknown,
  wholeNumber,
} from '../database/validate-stored-values.ts'
import type { HashKey } from '../hashing/half-siphash.ts'
import { ledgerSchema, type SavedCrawl } from './ledger.ts'
import { checkDefinitions } from './table-definitions.ts'

const hashKeySchema = pair(wholeNumber, wholeNumber)
const settingsSchema = dictionary(unknown)
const inputSchema = guarded(isInput, 'settings of a crawl')

/** Content of the table `crawl` once a crawl has begun. */
export interface CrawlTable {
  readonly saved: SavedCrawl
  readonly hashKey: HashKey
  readonly commits: number
  /** Identity that the database file had when the user gave the seeds; empty if they came from elsewhere. */
  readonly seedsGivenIn: string
  /** Id of the boot in which the last commit was made; undefined if the system has no such ids. */
  readonly boot: string | undefined
}

/**
 * Reads the stored crawl of a database; undefined if none has begun.
 * @throws DamageError
 */
export function readCrawlTable(database: DatabaseSync): CrawlTable | undefined {
  const rows = database.prepare('SELECT name, value FROM crawl').all()
  if (rows.length === 0) return undefined
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  const read = <T>(name: string, schema: Schema<T>) =>
    parseStoredJson(schema, values.get(name), name)
  checkDefinitions(database, values.get('tables'))
  const settings = read('settings', settingsSchema)
  const input = read('input', inputSchema)
  const ledger = read('ledger', ledgerSchema)
  return {
    saved: { settings, input, ledger },
    hashKey: read('hash-key', hashKeySchema),
    commits: read('commits', count),
    seedsGivenIn: values.has('seeds-given-in') ? read('seeds-given-in', text) : '',
    boot: values.has('boot') ? read('boot', text) : undefined,
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
