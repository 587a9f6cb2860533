import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../config/schema.ts'
import { FORMATS } from '../config/settings/output-settings.ts'
import {
  dictionary,
  list,
  oneOf,
  optional,
  parseStored,
  record,
  text,
} from '../database/validate-stored-values.ts'
import { CrawlerError } from '../errors.ts'
import { namedFieldsOf } from '../page-data/field.ts'
import { allColumns } from '../records/visit-columns.ts'
import type { StateDirectory } from '../state/state-directory.ts'
import { formatOf } from './choose-format.ts'

const storedSettings = record({
  output: list(text),
  format: optional(oneOf(FORMATS, 'a format')),
  print: optional(text),
  fields: optional(list(text)),
  extract: optional(dictionary(text)),
  responseHeaders: optional(list(text)),
})

type ColumnSettings = Parameters<typeof namedFieldsOf>[0] & {
  readonly fields?: readonly string[] | undefined
}

/**
 * Checks that the crawl continues its files in the format, and a table with the columns, that they began with. With
 * `--force`, the settings may say otherwise, and so may the name of a file that has moved.
 * @throws CrawlerError('state')
 */
export function checkContinuedFiles(config: Config, directory: StateDirectory | undefined): void {
  const saved = directory?.saved
  if (saved === undefined) return
  const before = parseStored(storedSettings, saved.settings, 'settings')
  for (const name of config.output) {
    if ((saved.ledger.positions[resolve(name)] ?? 0) === 0) continue
    const was = formatOf(directory?.formerName(name) ?? name, before)
    const format = formatOf(name, config)
    if (format !== was) refuse(name, `the format that it began with, ${was}, got ${format}`)
    if (format === 'csv' && !isDeepStrictEqual(columnsOf(before), columnsOf(config)))
      refuse(
        name,
        'the columns that it began with, got others by --fields, --extract or --response-headers',
      )
  }
}

function columnsOf(settings: ColumnSettings): string[] {
  return [...(settings.fields ?? allColumns(namedFieldsOf(settings)))]
}

function refuse(name: string, problem: string): never {
  throw new CrawlerError('state', `${name}: expected ${problem}; name another file with -o`)
}
