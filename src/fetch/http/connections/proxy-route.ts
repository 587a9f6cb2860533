import type { Dispatcher } from 'undici'
import type { AddressGuard } from '../../addresses/address-guard.ts'
import { ConnectionPool, type TransportRequest } from './connection-pool.ts'
import type { ConnectOptions } from './direct-connector.ts'
import { forwardConnector, tunnelConnector } from './proxy-connector.ts'
import { type ProxyServer, parseProxy, proxyAuthorization } from './proxy-server.ts'
import type { SocketLimit } from './socket-limit.ts'
import type { ConnectionWatch } from './undici.ts'

interface ProxyRouteOptions {
  readonly connect: ConnectOptions
  readonly guard: AddressGuard
  readonly sockets: SocketLimit
  /** Connections to each site, and to the proxy for whole URLs. */
  readonly concurrency: number
  readonly watch: ConnectionWatch
}

/** The way to sites through one proxy: by tunnels, or by requests for whole URLs. */
export class ProxyRoute {
  readonly #proxy: ProxyServer
  readonly #tunnels: ConnectionPool
  readonly #forwarder: ConnectionPool

  constructor(url: string, { connect, guard, sockets, concurrency, watch }: ProxyRouteOptions) {
    this.#proxy = parseProxy(url)
    const tunnel = tunnelConnector(this.#proxy, connect, guard)
    const forward = forwardConnector(this.#proxy, connect, guard)
    this.#tunnels = new ConnectionPool(sockets.of(tunnel), concurrency, watch)
    this.#forwarder = new ConnectionPool(sockets.of(forward), concurrency, watch)
  }

  /** True if the proxy takes requests for whole URLs. */
  get canForward(): boolean {
    return this.#proxy.protocol !== 'socks5:'
  }

  tunnel(request: TransportRequest, handler: Dispatcher.DispatchHandler): void {
    this.#tunnels.dispatch(request, handler, request.isFresh)
  }

  forward(
    { origin, path, headers, isFresh, ...request }: TransportRequest,
    handler: Dispatcher.DispatchHandler,
  ): void {
    const host = origin.slice(origin.indexOf('//') + 2)
    const forwarded = {
      ...request,
      origin: this.#proxy.origin,
      path: origin + path,
      headers: { host, ...headers, ...proxyAuthorization(this.#proxy) },
      // Without a name of its own, undici would take that of the site for the proxy's.
      servername: this.#proxy.hostname,
    }
    this.#forwarder.dispatch(forwarded, handler, isFresh)
  }

  /** Closes idle connections. */
  closeIdle(): void {
    this.#tunnels.closeIdle()
    this.#forwarder.closeIdle()
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#tunnels.destroy(), this.#forwarder.destroy()])
  }
}
