import { DASH, EXCLAMATION } from '../../encoding/ascii.ts'

/**
 * Index after the comment, doctype or CDATA section that the `<!` at `open` begins, or the length
 * of the page. CDATA sections exist in SVG and MathML only; elsewhere they are bogus comments.
 */
export function endOfDeclaration(text: string, open: number, allowsCdata: boolean): number {
  if (text.startsWith('--', open + 2)) return endOfComment(text, open + 4)
  if (allowsCdata && text.startsWith('[CDATA[', open + 2)) return after(text, ']]>', open + 9)
  return after(text, '>', open + 2)
}

/** Index after the next `mark`, or the length of the page. */
export function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at + mark.length
}

/** A comment ends with `-->` or `--!>`, and may end at once: `<!-->`, `<!--->`. */
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
