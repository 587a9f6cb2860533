import { BoundedMap } from '../../collections/bounded-map.ts'
import { backoff } from '../outcomes/backoff.ts'

/** Maximum number of URLs that are remembered because all attempts at them failed. */
const MAX_HOPELESS = 1_000

interface RetryOptions {
  /** Maximum number of further attempts at a URL. */
  readonly retries: number
  /** Returns a number from 0 to 1, like `Math.random`. */
  readonly random: () => number
}

/** Decides which requests of rendered pages are made again after a transient failure. */
export class ResourceRetries {
  readonly #options: RetryOptions
  readonly #hopeless = new BoundedMap<string, true>(MAX_HOPELESS)

  constructor(options: RetryOptions) {
    this.#options = options
  }

  /**
   * Returns the milliseconds before the next attempt; undefined if there is none.
   * @param failures number of failed attempts
   * @param retryAfter milliseconds that the host asks for
   */
  pauseBefore(url: string, failures: number, retryAfter = 0): number | undefined {
    const { retries, random } = this.#options
    if (failures > retries) this.#hopeless.set(url, true)
    // Only the first page waits for a file that always fails.
    if (this.#hopeless.has(url)) return undefined
    return Math.max(backoff(failures, random), retryAfter)
  }
}
