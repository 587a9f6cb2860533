import type { FetchFailure } from '../fetch-failure.ts'
import type { ResponseListener } from './connection-pool.ts'
import { connectionReset } from './network-failure.ts'

/**
 * Fails a request. An error that its listener throws is thrown again in a microtask. It ends the process like any
 * uncaught error, but doesn't interrupt the caller, which may have other requests to handle.
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
  return connectionReset('the fetcher was closed')
}
