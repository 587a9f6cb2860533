import { withTimeout } from '../runtime/sync-timeout.ts'
import { MAX_INPUT } from './extract-page-data.ts'
import { readableText } from './readable-text.ts'

/** Maximum milliseconds for extracting the text of one page. */
const MAX_MS = 2_000

/**
 * Returns the number of characters of a page's text, with each run of white space as one; undefined if that takes too
 * long.
 */
export function textLength(html: string): number | undefined {
  try {
    const text = withTimeout(MAX_MS, () => readableText(html.slice(0, MAX_INPUT)))
    return text.replace(/\s+/g, ' ').trim().length
  } catch {
    return undefined
  }
}
