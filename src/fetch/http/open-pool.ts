import type { ConnectionPool, ResponseListener, TransportRequest } from './connection-pool.ts'
import { Http1Pool } from './http1/http1-pool.ts'
import type { PoolOptions } from './http1/origin-pool.ts'

/** Opens a pool of connections. @param http2 true if servers may choose HTTP/2 */
export function openPool(options: PoolOptions, http2: boolean): ConnectionPool {
  return http2 ? new LazyHttp2Pool(options) : new Http1Pool(options)
}

/** A pool for HTTP/2, which is loaded when it is needed: undici and TLS take a while. */
class LazyHttp2Pool implements ConnectionPool {
  readonly #pool: Promise<ConnectionPool>

  constructor({ connect, perOrigin, kept, onRead }: PoolOptions) {
    this.#pool = import('./http2/http2-pool.ts').then(
      ({ Http2Pool }) => new Http2Pool(connect, perOrigin, { kept, onRead }),
    )
  }

  dispatch(request: TransportRequest, listener: ResponseListener): void {
    this.#pool
      .then((pool) => pool.dispatch(request, listener))
      .catch((error) => listener.fail(error))
  }

  closeIdle(): void {
    void this.#pool.then((pool) => pool.closeIdle())
  }

  async destroy(): Promise<void> {
    await (await this.#pool).destroy()
  }
}
