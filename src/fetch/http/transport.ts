import { hostAndPort } from '../../url/host-key.ts'
import type { AddressGuard } from '../addresses/address-guard.ts'
import type { BackendOptions } from '../fetcher-backend.ts'
import { ProxyChoice, type ProxyRules } from '../proxy-rules.ts'
import { AlpnPool } from './alpn-pool.ts'
import type { ConnectionPool, ResponseListener, TransportRequest } from './connection-pool.ts'
import type { Connector } from './connections/connector.ts'
import { directConnector } from './connections/direct-connector.ts'
import { KeptConnections } from './connections/kept-connections.ts'
import { SocketLimit } from './connections/socket-limit.ts'
import { tlsContexts } from './connections/tls-contexts.ts'
import { Http1Pool } from './http1/http1-pool.ts'
import { ProxyRoute } from './proxy-route.ts'

/** Connections of a worker that are kept alive beyond its concurrency, to all servers together. */
const MAX_IDLE = 160

const DIRECT: ProxyRules = { except: [], exceptLoopback: false }

/** Sends requests to sites, directly or through proxies. */
export class Transport {
  readonly #direct: ConnectionPool
  readonly #choice: ProxyChoice
  readonly #guard: AddressGuard
  readonly #routes: ReadonlyMap<string, ProxyRoute>

  constructor(options: BackendOptions) {
    const { guard, timeout, concurrency, http1 = false, proxies = DIRECT } = options
    const connect = {
      timeout: Math.min(options.connectTimeout, timeout),
      insecure: options.insecure,
      http2: !http1,
      tls: tlsContexts(options.certificates ?? {}, options.headerOrigins),
    }
    const sockets = new SocketLimit(options.maxSockets)
    const urls = [proxies.http, proxies.https].flatMap((url) => url ?? [])
    const budget = options.limits?.bytes
    const onRead = budget && ((bytes: number) => budget.spend(bytes))
    const kept = new KeptConnections(concurrency + (options.maxIdle ?? MAX_IDLE))
    const Pool = http1 ? Http1Pool : AlpnPool
    const open = (connector: Connector) =>
      new Pool({ connect: sockets.of(connector), perOrigin: concurrency, kept, onRead })
    const routeOptions = { connect, guard, open }
    this.#routes = new Map(urls.map((url) => [url, new ProxyRoute(url, routeOptions)]))
    this.#direct = open(directConnector(connect, guard))
    this.#choice = new ProxyChoice(proxies)
    this.#guard = guard
  }

  /** Returns whether connections to this origin lead to a proxy. */
  isProxied(origin: string): boolean {
    return this.#routeTo(origin) !== undefined
  }

  /** Returns whether a proxy forwards requests to this origin. A response may come from the proxy itself then. */
  isForwarded(origin: string): boolean {
    const route = this.#routeTo(origin)
    return route !== undefined && this.#mayForward(origin, route)
  }

  send(request: TransportRequest, listener: ResponseListener): void {
    const route = this.#routeTo(request.origin)
    if (route === undefined) this.#direct.dispatch(request, listener)
    else if (this.#mayForward(request.origin, route)) route.forward(request, listener)
    else route.tunnel(request, listener)
  }

  closeIdle(): void {
    this.#direct.closeIdle()
    for (const route of this.#routes.values()) route.closeIdle()
  }

  async destroy(): Promise<void> {
    const routes = [...this.#routes.values()]
    await Promise.all([this.#direct.destroy(), ...routes.map((route) => route.destroy())])
  }

  #routeTo(origin: string): ProxyRoute | undefined {
    const url = this.#choice.proxyFor(origin)
    return url === undefined ? undefined : this.#routes.get(url)
  }

  /**
   * Returns whether a proxy may get requests for whole URLs of this origin. The proxy would look up the name in them,
   * so a fixed address needs a tunnel.
   */
  #mayForward(origin: string, { canForward }: ProxyRoute): boolean {
    return canForward && origin.startsWith('http:') && !this.#guard.isPinned(hostAndPort(origin))
  }
}
