import type { Dispatcher } from 'undici'
import { lookUpName } from '../runtime/name-lookup.ts'
import { hasBadPort } from '../url/bad-port.ts'
import { AddressGuard, type GuardOptions } from './address-guard.ts'
import { Connections } from './connections.ts'
import { type ConnectOptions, directConnector } from './direct-connector.ts'
import { FetchFailure } from './fetch-failure.ts'
import { forwardConnector, tunnelConnector } from './proxy-connector.ts'
import { type ProxyServer, parseProxy, proxyAuthorization } from './proxy-server.ts'
import { cachingResolver, type Resolve } from './resolver.ts'
import { SocketBound } from './socket-bound.ts'

export interface TransportOptions extends GuardOptions {
  /** Connections to an origin, or to a proxy that is asked for whole URLs. */
  readonly concurrency: number
  /** Connections in all, so that files can be opened beside them. */
  readonly maxSockets?: number | undefined
  /** Milliseconds for a request, all of it. */
  readonly timeout: number
  /** Milliseconds to look a name up, connect, and agree on TLS. */
  readonly connectTimeout: number
  readonly insecure: boolean
  /** URL of a proxy that all requests go through. */
  readonly proxy?: string | undefined
  /** Asked for addresses; by default the resolver of the system. */
  readonly resolve?: Resolve
}

/** A request, and how it is sent. */
interface Sent {
  readonly method: 'GET' | 'HEAD'
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Whether it needs a connection of its own. */
  readonly isFresh: boolean
}

/** The way to the sites: straight, or through a proxy. */
export class Transport {
  readonly #connections: Connections
  /** Where a proxy looks names up. */
  readonly #nameGuard: AddressGuard | undefined
  readonly #forwarder:
    | { readonly connections: Connections; readonly proxy: ProxyServer }
    | undefined

  constructor(options: TransportOptions) {
    const { proxy: proxyUrl, insecure, timeout, connectTimeout } = options
    const { concurrency } = options
    const bound = new SocketBound(options.maxSockets)
    const connect: ConnectOptions = { timeout: Math.min(connectTimeout, timeout), insecure }
    const guard = new AddressGuard(options, options.resolve ?? resolverFor(options))
    if (proxyUrl === undefined) {
      this.#connections = new Connections(bound.of(directConnector(connect, guard)), concurrency)
      return
    }
    this.#nameGuard = guard
    const proxy = parseProxy(proxyUrl)
    this.#connections = new Connections(bound.of(tunnelConnector(proxy, connect)), concurrency)
    if (proxy.protocol === 'socks5:') return
    const connections = new Connections(bound.of(forwardConnector(proxy, connect)), concurrency)
    this.#forwarder = { connections, proxy }
  }

  /** Whether a proxy answers for this origin: what it says may be of its own. */
  isForwarded(origin: string): boolean {
    return this.#forwarder !== undefined && origin.startsWith('http:')
  }

  /** @throws FetchFailure for a place that is not to be asked for anything */
  send(
    { origin, path, method, headers, isFresh }: Sent,
    handler: Dispatcher.DispatchHandler,
  ): void {
    checkPort(origin)
    this.#nameGuard?.checkName(origin)
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

  /** Closes connections that nobody needs just now. */
  closeIdle(): void {
    this.#connections.closeIdle()
    this.#forwarder?.connections.closeIdle()
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#connections.destroy(), this.#forwarder?.connections.destroy()])
  }
}

function resolverFor({ seedHosts }: TransportOptions): Resolve {
  const given = new Set(seedHosts.hosts.map((host) => host.replace(/:\d+$/, '')))
  return cachingResolver((hostname) => lookUpName(hostname, given.has(hostname)))
}

function checkPort(origin: string): void {
  if (!hasBadPort(origin)) return
  const host = origin.slice(origin.indexOf('//') + 2)
  throw new FetchFailure('bad-port', `${host} is a port that browsers refuse, too`, false)
}
