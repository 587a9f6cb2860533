import { replaceControls } from '../../printable-text.ts'
import { COLUMNS, type ColumnValue } from '../columns.ts'
import type { TextFormat } from './text-output.ts'

const CELLS = Object.values(COLUMNS)

/**
 * What makes spreadsheets compute a text (OWASP, CSV Injection), in full width and in small form, too, at its
 * start or where one that takes another separator than the comma begins a cell.
 */
const FORMULA = /(?:^|[;|])[\s"]*(?=[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b])/g
/** Separators of any spreadsheet, and quotes. */
const SPECIAL = /[",;|]/

/** CSV as RFC 4180 describes it, with a header line. Names and order of columns don't depend on the crawl. */
export const csv: TextFormat = {
  head: `${Object.keys(COLUMNS).join(',')}\r\n`,
  encode({ fields }) {
    return `${CELLS.map((cell) => encodeCell(cell(fields))).join(',')}\r\n`
  },
}

/**
 * Sites choose titles, so that a text is made harmless: no control characters, thus one line for each
 * record, and an apostrophe before what would be a formula.
 */
function encodeCell(cell: ColumnValue): string {
  if (typeof cell !== 'string') return String(cell ?? '')
  const text = replaceControls(cell).replace(FORMULA, "$&'")
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
