import { replaceControls } from '../../escape-controls.ts'
import type { Visit } from '../../wire/visit.ts'
import { type Cell, COLUMNS } from '../columns.ts'
import type { TextFormat } from './text-output.ts'

const CELLS = Object.values(COLUMNS)

/** Beginnings that make spreadsheets compute a text (OWASP, CSV Injection), also in full width. */
const FORMULA = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/

/** CSV as RFC 4180 describes it, with a header line. Names and order of columns don't depend on the crawl. */
export const csv: TextFormat = {
  head: `${Object.keys(COLUMNS).join(',')}\r\n`,
  encode(record) {
    const visit: Visit = JSON.parse(record)
    return `${CELLS.map((cell) => encodeCell(cell(visit))).join(',')}\r\n`
  },
}

/**
 * Sites choose titles, so that a text is made harmless: no control characters, thus one line for each
 * record, and an apostrophe before what would be a formula.
 */
function encodeCell(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell ?? '')
  const text = replaceControls(cell).replace(FORMULA, "'$&")
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
