import { isError } from '../errors.ts'
import { withTimeout } from '../runtime/sync-timeout.ts'

/** Maximum milliseconds for parsing a page. Parsers need quadratic time for deeply nested elements. */
export const MAX_PARSING_MS = 5_000

/**
 * Returns the result of parsing a page, which may be hostile.
 * @throws the error of the work, or an Error that parsing took too long or that the page is nested too deeply
 */
export function parseWithinLimits<T>(ms: number, parse: () => T): T {
  try {
    return withTimeout(ms, parse)
  } catch (error) {
    throw isStackOverflow(error) ? new Error('its elements are nested too deeply') : error
  }
}

function isStackOverflow(error: unknown): boolean {
  return isError(error) && error.name === 'RangeError' && /call stack/.test(error.message)
}
