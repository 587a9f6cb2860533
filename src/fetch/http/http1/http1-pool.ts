import type { ConnectorTarget } from '../connections/connector.ts'
import type { ConnectionPool, ResponseListener, TransportRequest } from '../exchange.ts'
import { OriginPool, type PoolOptions } from './origin-pool.ts'

/** Connections of HTTP/1.1, which are kept alive and used again, to all origins. */
export class Http1Pool implements ConnectionPool {
  readonly #options: PoolOptions
  readonly #origins = new Map<string, OriginPool>()

  constructor(options: PoolOptions) {
    this.#options = options
  }

  dispatch(request: TransportRequest, listener: ResponseListener): void {
    this.#poolOf(request.origin).dispatch(request, listener)
  }

  closeIdle(): void {
    for (const pool of this.#origins.values()) pool.closeIdle()
  }

  async destroy(): Promise<void> {
    for (const pool of this.#origins.values()) pool.destroy()
  }

  #poolOf(origin: string): OriginPool {
    const known = this.#origins.get(origin)
    if (known !== undefined) return known
    const pool = new OriginPool(targetOf(origin), this.#options, () => this.#origins.delete(origin))
    this.#origins.set(origin, pool)
    return pool
  }
}

function targetOf(origin: string): ConnectorTarget {
  const { protocol, host, hostname, port } = new URL(origin)
  return { protocol, host, hostname: hostname.replace(/^\[|\]$/g, ''), port }
}
