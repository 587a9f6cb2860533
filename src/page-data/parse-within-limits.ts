import { isError } from '../errors.ts'
import { TimeoutError, withTimeout } from '../runtime/sync-timeout.ts'

/** Maximum milliseconds for parsing a page. Parsers need quadratic time for deeply nested elements. */
export const MAX_PARSING_MS = 5_000
/** The limit of the second attempt, as a multiple of the first. */
const SECOND_LIMIT = 4

/**
 * Returns the result of parsing a page, which may be hostile. If the time is over, but the thread got less than half of
 * it, as on a busy machine or in a container with a small share of a core, `parse` runs again with a longer limit.
 * @throws the error of the work, or an Error that parsing took too long or that the page is nested too deeply
 */
export function parseWithinLimits<T>(ms: number, parse: () => T): T {
  try {
    return withRetry(ms, parse)
  } catch (error) {
    throw isStackOverflow(error) ? new Error('its elements are nested too deeply') : error
  }
}

function withRetry<T>(ms: number, parse: () => T): T {
  const start = { wall: performance.now(), cpu: threadCpuMs() }
  try {
    return withTimeout(ms, parse)
  } catch (error) {
    const cpu = threadCpuMs() - start.cpu
    const isStarved = cpu < (performance.now() - start.wall) / 2
    if (!(error instanceof TimeoutError && isStarved)) throw error
    return withTimeout(SECOND_LIMIT * ms, parse)
  }
}

function isStackOverflow(error: unknown): boolean {
  return isError(error) && error.name === 'RangeError' && /call stack/.test(error.message)
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
