import { FetchFailure } from '../../fetch-failure.ts'
import type { ResponseListener } from '../connection-pool.ts'

/**
 * Fails a request. An error that its listener throws ends the process, as any that nobody catches, but keeps no other
 * request from its turn.
 */
export function failRequest(listener: ResponseListener, error: unknown): void {
  try {
    listener.fail(error)
  } catch (thrown) {
    queueMicrotask(() => {
      throw thrown
    })
  }
}

/** Returns the failure of requests to a pool that was destroyed. */
export function poolClosed(): FetchFailure {
  return new FetchFailure('connection-reset', 'the fetcher was closed', true)
}
