import { replaceControls } from '../../printable-text.ts'
import { splitData } from '../../records/data-texts.ts'
import { type ColumnValue, VISIT_COLUMNS } from '../../records/visit-columns.ts'
import type { TextFormat } from './text-output.ts'

const CELL_READERS = Object.values(VISIT_COLUMNS)

/**
 * Start of a text that spreadsheets would evaluate (OWASP, CSV Injection), also in full width and
 * small form, at its start or after a separator other than the comma.
 */
const FORMULA = /(?:^|[;|])[\s"]*(?=[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b])/g
/** Separators of any spreadsheet, and quotes. */
const NEEDS_QUOTES = /[",;|]/

/**
 * Returns CSV by RFC 4180, with a header line. Names and order of columns are the same in every crawl; a
 * column for each extracted field follows them, and `data` has the rest.
 */
export function csvFormat(fieldNames: readonly string[]): TextFormat {
  const columns = [...Object.keys(VISIT_COLUMNS), ...fieldNames.map((name) => `data.${name}`)]
  return {
    head: encodeLine(columns),
    encode({ fields }) {
      const { texts, others } = splitData(fields.dataJson, fieldNames)
      const visit = { ...fields, dataJson: others }
      return encodeLine([...CELL_READERS.map((cell) => cell(visit)), ...texts])
    },
  }
}

function encodeLine(cells: readonly ColumnValue[]): string {
  return `${cells.map(encodeCell).join(',')}\r\n`
}

/**
 * Encodes a cell. Sites choose titles, so text is made harmless: no control characters, thus one
 * line per record, and an apostrophe before a formula.
 */
function encodeCell(cell: ColumnValue): string {
  if (typeof cell !== 'string') return String(cell ?? '')
  const text = replaceControls(cell).replace(FORMULA, "$&'")
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
