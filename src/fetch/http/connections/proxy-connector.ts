import type { Socket } from 'node:net'
import { isOutOfFiles } from '../../../runtime/out-of-files.ts'
import { withBrackets } from '../../../url/ip-family.ts'
import type { AddressGuard } from '../../addresses/address-guard.ts'
import { FetchFailure } from '../../fetch-failure.ts'
import { failureOf } from '../network-failure.ts'
import type { ConnectOptions, Connector, ConnectorTarget } from './connector.ts'
import { hostAndPortOf, plainConnector } from './direct-connector.ts'
import { openHttpTunnel } from './http-tunnel.ts'
import type { ProxyServer } from './proxy-server.ts'
import { openSocks5Tunnel } from './socks5-tunnel.ts'

/** Returns a connector to a proxy that gets requests for whole URLs. It connects to the proxy, whatever the target. */
export function forwardConnector(
  proxy: ProxyServer,
  options: ConnectOptions,
  guard: AddressGuard,
): Connector {
  const dial = dialer(proxy, options, guard)
  return (_, callback) => {
    dial().then(
      (socket) => callback(null, socket),
      (error) => callback(error, null),
    )
  }
}

/**
 * Returns a connector to sites that opens tunnels through a proxy. TLS is negotiated with the site. The proxy looks up
 * all names except those with fixed addresses.
 */
export function tunnelConnector(
  proxy: ProxyServer,
  options: ConnectOptions,
  guard: AddressGuard,
): Connector {
  const dial = dialer(proxy, options, guard)
  const connectTls = plainConnector(options)
  const open = async (target: ConnectorTarget) => {
    const pinned = await guard.pinnedAddress(hostAndPortOf(target), target.hostname)
    const destination = { ...target, hostname: pinned ?? target.hostname }
    const socket = await dial()
    await withDeadline(socket, options.timeout, openTunnel(socket, destination, proxy))
    return socket
  }
  return (target, callback) => {
    open(target).then(
      (socket) => {
        if (target.protocol !== 'https:') callback(null, socket)
        else connectTls({ ...target, httpSocket: socket }, callback)
      },
      (error) => callback(error, null),
    )
  }
}

function openTunnel(
  socket: Socket,
  { hostname, port, protocol }: ConnectorTarget,
  proxy: ProxyServer,
): Promise<void> {
  const sitePort = Number(port) || (protocol === 'https:' ? 443 : 80)
  if (proxy.protocol === 'socks5:') return openSocks5Tunnel(socket, hostname, sitePort, proxy)
  return openHttpTunnel(socket, `${withBrackets(hostname)}:${sitePort}`, proxy)
}

function dialer(
  proxy: ProxyServer,
  options: ConnectOptions,
  guard: AddressGuard,
): () => Promise<Socket> {
  const { hostname, port } = proxy
  // The user named the proxy, so it may have any address. It doesn't get the client certificate, which is for sites.
  const connect = plainConnector(
    { ...options, http2: false, tls: { ...options.tls, byOrigin: new Map() } },
    { lookup: guard.lookupFor('any', `${hostname}:${port}`) },
  )
  const protocol = proxy.protocol === 'https:' ? 'https:' : 'http:'
  const target = { hostname, host: new URL(proxy.origin).host, protocol, port: `${port}` }
  return () =>
    new Promise((resolve, reject) => {
      connect(target, (error, socket) => {
        if (error === null) resolve(socket)
        else reject(asProxyFailure(error))
      })
    })
}

/** Bounds the time of a handshake. Closes the socket if the handshake fails. */
async function withDeadline(
  socket: Socket,
  timeout: number,
  handshake: Promise<void>,
): Promise<void> {
  const late = () => socket.destroy(new Error(`no answer within ${timeout} ms`))
  const timer = setTimeout(late, timeout)
  const ignore = () => {} // reads report errors
  socket.on('error', ignore)
  try {
    await handshake
  } catch (error) {
    socket.destroy()
    throw error instanceof FetchFailure ? error : asProxyFailure(error)
  } finally {
    clearTimeout(timer)
    if (!socket.destroyed) socket.off('error', ignore)
  }
}

function asProxyFailure(error: unknown): unknown {
  if (isOutOfFiles(error)) return error
  const { code, message, isTransient } = failureOf(error)
  // If the connection closes during the handshake, the reason is unknown, and another attempt may succeed.
  const persistence = isTransient || code === 'internal' ? 'transient' : 'permanent'
  return new FetchFailure('proxy-failure', `the proxy: ${message}`, persistence)
}
