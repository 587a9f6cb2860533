import { cssUrls } from '../html/style-sheet/css-urls.ts'
import type { LinkRewriter, TextEdit } from './text-edits.ts'

/**
 * Returns the edits that change the URLs of a style sheet.
 * @param css from a file or a page
 */
export function cssLinkEdits(css: string, relink: LinkRewriter): TextEdit[] {
  const edits: TextEdit[] = []
  for (const { url, start, end, isString } of cssUrls(css)) {
    // A fragment leads into the page itself, even if that has a `<base>`.
    const text = url === '' || url.startsWith('#') ? undefined : relink(url)
    if (text === undefined) continue
    const quoted = `"${text.replace(/["\\\n\r\f]/g, (c) => `\\${c.charCodeAt(0).toString(16)} `)}"`
    edits.push({ start, end, text: isString ? quoted : `url(${quoted})` })
  }
  return edits
}
