import type { Pool } from 'undici'

/** Requests that wait for a connection to their origin: few, so an array is fast. */
class RequestQueue {
  readonly #requests: unknown[] = []

  isEmpty(): boolean {
    return this.#requests.length === 0
  }

  push(request: unknown): void {
    this.#requests.push(request)
  }

  /** Returns null if there is none. */
  shift(): unknown {
    return this.#requests.shift() ?? null
  }
}

/**
 * Replaces the queue of a new pool. undici's takes 16 KiB while it is empty, half of what an idle connection takes, and
 * there is a pool for each origin.
 */
export function replaceQueue(pool: Pool): void {
  const key = Object.getOwnPropertySymbols(pool).find(({ description }) => description === 'queue')
  if (key === undefined || !isQueue(Reflect.get(pool, key))) {
    throw new Error('this version of undici has another queue')
  }
  Reflect.set(pool, key, new RequestQueue())
}

function isQueue(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['isEmpty', 'push', 'shift'].every((name) => typeof Reflect.get(value, name) === 'function')
  )
}
