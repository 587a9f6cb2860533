import type {
  ConnectionPool,
  PoolOptions,
  ResponseListener,
  TransportRequest,
} from '../connection-pool.ts'
import { targetOfOrigin } from '../connections/connector.ts'
import { failRequest, poolClosed } from '../fail-request.ts'
import { OriginPool } from './origin-pool.ts'
import { requestText } from './request-text.ts'

/** Connections of HTTP/1.1 to all origins. They are kept alive and used again. */
export class Http1Pool implements ConnectionPool {
  readonly #options: PoolOptions
  readonly #origins = new Map<string, OriginPool>()
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** @throws Error if the request can't be written */
  dispatch(request: TransportRequest, listener: ResponseListener): void {
    const { method, origin, isFresh } = request
    const sent = { text: requestText(request), method, isFresh, listener }
    if (this.#isClosed) failRequest(listener, poolClosed())
    else this.#poolOf(origin).dispatch(sent)
  }

  closeIdle(): void {
    for (const pool of this.#origins.values()) pool.closeIdle()
  }

  async destroy(): Promise<void> {
    this.#isClosed = true
    for (const pool of this.#origins.values()) pool.destroy()
  }

  #poolOf(origin: string): OriginPool {
    const known = this.#origins.get(origin)
    if (known !== undefined) return known
    const pool = new OriginPool(targetOfOrigin(origin), this.#options, () =>
      this.#origins.delete(origin),
    )
    this.#origins.set(origin, pool)
    return pool
  }
}
