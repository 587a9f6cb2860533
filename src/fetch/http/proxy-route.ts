import type { AddressGuard } from '../addresses/address-guard.ts'
import type { ConnectionPool, ResponseListener, TransportRequest } from './connection-pool.ts'
import type { ConnectOptions, Connector } from './connections/connector.ts'
import { forwardConnector, tunnelConnector } from './connections/proxy-connector.ts'
import { type ProxyServer, parseProxy, proxyAuthorization } from './connections/proxy-server.ts'

interface ProxyRouteOptions {
  readonly connect: ConnectOptions
  readonly guard: AddressGuard
  /** Opens a pool of connections. */
  readonly open: (connector: Connector) => ConnectionPool
}

/** Connections to sites through one proxy: tunnels, or requests for whole URLs that the proxy forwards. */
export class ProxyRoute {
  readonly #proxy: ProxyServer
  readonly #tunnels: ConnectionPool
  readonly #forwarder: ConnectionPool

  constructor(url: string, { connect, guard, open }: ProxyRouteOptions) {
    this.#proxy = parseProxy(url)
    this.#tunnels = open(tunnelConnector(this.#proxy, connect, guard))
    this.#forwarder = open(forwardConnector(this.#proxy, connect, guard))
  }

  /** True if the proxy accepts requests for whole URLs. */
  get canForward(): boolean {
    return this.#proxy.protocol !== 'socks5:'
  }

  tunnel(request: TransportRequest, listener: ResponseListener): void {
    this.#tunnels.dispatch(request, listener)
  }

  forward(
    { origin, path, headers, ...request }: TransportRequest,
    listener: ResponseListener,
  ): void {
    const host = origin.slice(origin.indexOf('//') + 2)
    const forwarded = {
      ...request,
      origin: this.#proxy.origin,
      path: origin + path,
      headers: { host, ...headers, ...proxyAuthorization(this.#proxy) },
    }
    this.#forwarder.dispatch(forwarded, listener)
  }

  closeIdle(): void {
    this.#tunnels.closeIdle()
    this.#forwarder.closeIdle()
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#tunnels.destroy(), this.#forwarder.destroy()])
  }
}
