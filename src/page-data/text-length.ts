import { withTimeout } from '../runtime/sync-timeout.ts'
import { readableText } from './readable-text.ts'

/** Characters of a page that are looked at. */
const MAX_INPUT = 2 ** 20
/** Milliseconds to find the text of one page. */
const MAX_MS = 2_000

/** Returns the characters of the text of a page, with runs of white space as one; undefined if that takes too long. */
export function textLength(html: string): number | undefined {
  try {
    const text = withTimeout(MAX_MS, () => readableText(html.slice(0, MAX_INPUT)))
    return text.replace(/\s+/g, ' ').trim().length
  } catch {
    return undefined
  }
}
