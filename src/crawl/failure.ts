import { stateError } from '../state/state-error.ts'
import type { CrawlState } from './crawl-state.ts'

/** Returns what a crawl failed of, in words for the user where it came of what was kept before. */
export function failureOf({ directory, joined }: CrawlState, error: unknown): unknown {
  if (directory !== undefined) return stateError(directory.path, error)
  return joined === undefined ? error : joined.queue.describeError(error)
}
