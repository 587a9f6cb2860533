import type { Dispatcher } from 'undici'
import type { BackendOptions } from '../../fetcher-backend.ts'
import { ConnectionPool } from './connection-pool.ts'
import { type ConnectOptions, directConnector } from './direct-connector.ts'
import { forwardConnector, tunnelConnector } from './proxy-connector.ts'
import { type ProxyServer, parseProxy, proxyAuthorization } from './proxy-server.ts'
import { SocketLimit } from './socket-limit.ts'

/** A request, and how it is sent. */
interface TransportRequest {
  readonly method: 'GET' | 'HEAD'
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** True if it needs a connection of its own. */
  readonly isFresh: boolean
}

/** The options of a backend that its connections depend on. */
type TransportOptions = Pick<
  BackendOptions,
  'guard' | 'proxy' | 'insecure' | 'timeout' | 'connectTimeout' | 'concurrency' | 'maxSockets'
>

/** Connects to the sites, directly or through a proxy. */
export class Transport {
  readonly #connections: ConnectionPool
  readonly #forwarder:
    | { readonly connections: ConnectionPool; readonly proxy: ProxyServer }
    | undefined

  constructor(options: TransportOptions) {
    const { guard, proxy: proxyUrl, insecure, timeout, connectTimeout, concurrency } = options
    const bound = new SocketLimit(options.maxSockets)
    const connect: ConnectOptions = { timeout: Math.min(connectTimeout, timeout), insecure }
    if (proxyUrl === undefined) {
      this.#connections = new ConnectionPool(bound.of(directConnector(connect, guard)), concurrency)
      return
    }
    const proxy = parseProxy(proxyUrl)
    this.#connections = new ConnectionPool(bound.of(tunnelConnector(proxy, connect)), concurrency)
    if (proxy.protocol === 'socks5:') return
    const connections = new ConnectionPool(bound.of(forwardConnector(proxy, connect)), concurrency)
    this.#forwarder = { connections, proxy }
  }

  /** Returns whether requests to this origin go to a proxy as whole URLs: a response may be the proxy's own. */
  isForwarded(origin: string): boolean {
    return this.#forwarder !== undefined && origin.startsWith('http:')
  }

  send(
    { origin, path, method, headers, isFresh }: TransportRequest,
    handler: Dispatcher.DispatchHandler,
  ): void {
    if (this.#forwarder === undefined || !this.isForwarded(origin)) {
      this.#connections.dispatch({ origin, path, method, headers }, handler, isFresh)
      return
    }
    const { connections, proxy } = this.#forwarder
    const host = origin.slice(origin.indexOf('//') + 2)
    const asked = { host, ...headers, ...proxyAuthorization(proxy) }
    // Without a name of its own, undici would take that of the site for the proxy's.
    const servername = { servername: proxy.hostname }
    const request = { origin: proxy.origin, path: origin + path, method, headers: asked }
    connections.dispatch({ ...request, ...servername } as const, handler, isFresh)
  }

  /** Closes idle connections. */
  closeIdle(): void {
    this.#connections.closeIdle()
    this.#forwarder?.connections.closeIdle()
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#connections.destroy(), this.#forwarder?.connections.destroy()])
  }
}
