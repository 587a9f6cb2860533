import { textOnOneLine } from '../printable-text.ts'

/**
 * The place before a character that makes spreadsheets evaluate a text (OWASP, CSV Injection): at the
 * start of the text, or after a separator other than the comma. Includes full-width and small forms.
 */
const FORMULA = /(?:^|[;|])[\s"]*(?=[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b])/g
/** A number with a sign, a decimal point or comma, and an exponent: spreadsheets evaluate it to itself. */
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i
/** Separators of any spreadsheet, and quotes. */
const NEEDS_QUOTES = /[",;|]/

/** Returns a line of CSV by RFC 4180, without its end. */
export function csvLine(cells: readonly (string | number | true | undefined)[]): string {
  return cells.map(encodeCell).join(',')
}

/**
 * Encodes a cell. Sites choose titles and URLs, so text is made harmless. Control characters and line breaks are
 * replaced, which also keeps each record on one line. A formula gets an apostrophe in front. Numbers stay as they are.
 */
function encodeCell(cell: string | number | true | undefined): string {
  if (typeof cell !== 'string') return String(cell ?? '')
  const text = NUMBER.test(cell) ? cell : textOnOneLine(cell).replace(FORMULA, "$&'")
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
