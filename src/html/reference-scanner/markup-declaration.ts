import { DASH, EXCLAMATION } from '../../encoding/ascii.ts'

/**
 * Returns the index after the comment, doctype or CDATA section that starts with the `<!` at `open`; the length of the
 * page if it is not closed. CDATA sections exist only in SVG and MathML; elsewhere they are bogus comments.
 */
export function endOfDeclaration(text: string, open: number, allowsCdata: boolean): number {
  if (text.startsWith('--', open + 2)) return endOfComment(text, open + 4)
  if (allowsCdata && text.startsWith('[CDATA[', open + 2)) return after(text, ']]>', open + 9)
  return after(text, '>', open + 2)
}

/** Returns the index after the next `mark`; the length of the text if there is none. */
export function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at + mark.length
}

/**
 * Returns the index after a comment whose content starts at `start`. A comment ends with `-->` or `--!>`, or at once:
 * `<!-->`, `<!--->`.
 */
function endOfComment(text: string, start: number): number {
  let at = text.indexOf('>', start)
  while (at >= 0 && !closesComment(text, start, at)) at = text.indexOf('>', at + 1)
  return at < 0 ? text.length : at + 1
}

function closesComment(text: string, start: number, greater: number): boolean {
  if (greater === start) return true
  const last = text.charCodeAt(greater - 1)
  if (last === DASH) return text.charCodeAt(greater - 2) === DASH
  return last === EXCLAMATION && greater - 3 >= start && text.startsWith('--', greater - 3)
}
