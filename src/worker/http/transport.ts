import type { Dispatcher } from 'undici'
import { hasBadPort } from '../../url/bad-port.ts'
import { AddressGuard, type GuardOptions } from './address-guard.ts'
import { type ConnectOptions, directConnector } from './direct-connector.ts'
import { FetchFailure } from './fetch-failure.ts'
import { forwardConnector, tunnelConnector } from './proxy-connector.ts'
import { type ProxyServer, parseProxy, proxyAuthorization } from './proxy-server.ts'
import { cachingResolver, type Resolve } from './resolver.ts'
import { type Agent, openAgent } from './undici.ts'

export interface TransportOptions extends GuardOptions {
  /** Connections to an origin, or to a proxy that is asked for whole URLs. */
  readonly concurrency: number
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

type Headers = Readonly<Record<string, string>>

const MAX_HEADER_BYTES = 64 * 1024

/** The way to the sites: straight, or through a proxy. */
export class Transport {
  readonly #agent: Agent
  /** Where a proxy looks names up. */
  readonly #nameGuard: AddressGuard | undefined
  readonly #forwarder: { readonly agent: Agent; readonly proxy: ProxyServer } | undefined

  constructor(options: TransportOptions) {
    const { proxy: proxyUrl, insecure, timeout, connectTimeout } = options
    const connect: ConnectOptions = { timeout: Math.min(connectTimeout, timeout), insecure }
    const guard = new AddressGuard(options, options.resolve ?? cachingResolver())
    if (proxyUrl === undefined) {
      this.#agent = agentOf(options, directConnector(connect, guard))
      return
    }
    this.#nameGuard = guard
    const proxy = parseProxy(proxyUrl)
    this.#agent = agentOf(options, tunnelConnector(proxy, connect))
    if (proxy.protocol === 'socks5:') return
    this.#forwarder = { agent: agentOf(options, forwardConnector(proxy, connect)), proxy }
  }

  /** Whether a proxy answers for this origin: what it says may be of its own. */
  isForwarded(origin: string): boolean {
    return this.#forwarder !== undefined && origin.startsWith('http:')
  }

  /** @throws FetchFailure for a place that is not to be asked for anything */
  send(
    method: 'GET' | 'HEAD',
    origin: string,
    path: string,
    headers: Headers,
    handler: Dispatcher.DispatchHandler,
  ): void {
    checkPort(origin)
    this.#nameGuard?.checkName(origin)
    if (this.#forwarder === undefined || !this.isForwarded(origin)) {
      this.#agent.dispatch({ origin, path, method, headers }, handler)
      return
    }
    const { agent, proxy } = this.#forwarder
    const host = origin.slice(origin.indexOf('//') + 2)
    const asked = { host, ...headers, ...proxyAuthorization(proxy) }
    // Without a name of its own, undici would take that of the site for the proxy's.
    const servername = { servername: proxy.hostname }
    const request = { origin: proxy.origin, path: origin + path, method, headers: asked }
    agent.dispatch({ ...request, ...servername } as const, handler)
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.#forwarder?.agent.destroy()])
  }
}

function checkPort(origin: string): void {
  if (!hasBadPort(origin)) return
  const host = origin.slice(origin.indexOf('//') + 2)
  throw new FetchFailure('bad-port', `${host} is a port that browsers refuse, too`, false)
}

function agentOf(
  { concurrency }: TransportOptions,
  connect: ReturnType<typeof directConnector>,
): Agent {
  return openAgent({
    connections: concurrency,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    // An exchange has a deadline for all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect,
  })
}
