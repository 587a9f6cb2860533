import type { PageResponse } from '../page/page-reading.ts'

/**
 * Matches an empty element of XHTML that is closed by its slash, such as `<script src="a.js"/>`. HTML ignores that slash,
 * and reads all that follows as the content of the script. Skips comments and CDATA sections. Bounded, because V8 runs
 * out of stack after millions of repetitions.
 */
const EMPTY_ELEMENT =
  /<!--.*?(?:-->|$)|<!\[CDATA\[.*?(?:\]\]>|$)|<(script|style|title|textarea|iframe|noembed|noframes|xmp|template)(\s(?:[^<>"']|"[^"]*?"|'[^']*?'){0,10000})?\/>/gs

/** Returns a page of XHTML with end tags for the elements that would swallow the rest of it if it were read as HTML. */
export function withEmptyElementsClosed(page: PageResponse): PageResponse {
  if (page.contentType?.type !== 'application/xhtml+xml') return page
  const text = page.body.toString('latin1')
  const closed = text.replace(EMPTY_ELEMENT, (all, name?: string, attributes = '') =>
    name === undefined ? all : `<${name}${attributes}></${name}>`,
  )
  return closed.length === text.length ? page : { ...page, body: Buffer.from(closed, 'latin1') }
}
