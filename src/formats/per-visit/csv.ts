import { textOnOneLine } from '../../printable-text.ts'
import { splitData } from '../../records/data-texts.ts'
import { type ColumnValue, dataFieldOf, VISIT_COLUMNS } from '../../records/visit-columns.ts'
import type { VisitFields } from '../../records/visit-record.ts'
import type { TextFormat } from './text-output.ts'

const CELL_READERS = new Map<string, (visit: VisitFields) => ColumnValue>(
  Object.entries(VISIT_COLUMNS),
)

/**
 * The place before a character that makes spreadsheets evaluate a text (OWASP, CSV Injection): at the
 * start of the text, or after a separator other than the comma. Includes full-width and small forms.
 */
const FORMULA = /(?:^|[;|])[\s"]*(?=[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b])/g
/** A number with a sign, a decimal point or comma, and an exponent: spreadsheets evaluate it to itself. */
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i
/** Separators of any spreadsheet, and quotes. */
const NEEDS_QUOTES = /[",;|]/

/**
 * Returns CSV by RFC 4180, with a header line.
 * @param columns names of `VISIT_COLUMNS`, and of fields of `data`, such as `data.price`; the column `data` has the rest
 */
export function csvFormat(columns: readonly string[]): TextFormat {
  const dataFields = columns.map(dataFieldOf).filter((name) => name !== undefined)
  const cells = columns.map((column) => {
    const at = dataFields.indexOf(dataFieldOf(column) ?? '')
    const read = CELL_READERS.get(column)
    return (visit: VisitFields, texts: readonly (string | undefined)[]) =>
      read === undefined ? texts[at] : read(visit)
  })
  return {
    head: encodeLine(columns),
    encode({ record: { fields } }) {
      const { texts, others } = splitData(fields.dataJson, dataFields)
      const visit = { ...fields, dataJson: others }
      return encodeLine(cells.map((cell) => cell(visit, texts)))
    },
  }
}

function encodeLine(cells: readonly ColumnValue[]): string {
  return `${cells.map(encodeCell).join(',')}\r\n`
}

/**
 * Encodes a cell. Sites choose titles, so text is made harmless. Control characters and line breaks are replaced,
 * which also keeps each record on one line. A formula gets an apostrophe in front. Numbers stay as
 * they are.
 */
function encodeCell(cell: ColumnValue): string {
  if (typeof cell !== 'string') return String(cell ?? '')
  const text = NUMBER.test(cell) ? cell : textOnOneLine(cell).replace(FORMULA, "$&'")
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
