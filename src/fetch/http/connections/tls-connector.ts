import type { LookupFunction, OnReadOpts, Socket } from 'node:net'
import { loadTls } from '../../../runtime/load-tls.ts'
import type { TlsContext } from './tls-contexts.ts'
import { type Connector, serverNameOf, setConnectTimeout } from './undici.ts'

/** Bytes to read ahead: a TLS record. */
const READ_AHEAD = 16 * 1024
/** Milliseconds after which the system tests whether a silent connection is still there. */
const TCP_KEEP_ALIVE_MS = 60_000

export interface TlsOptions {
  /** Milliseconds to look a name up, connect, and negotiate TLS. */
  readonly timeout: number
  /** True if certificates are accepted unchecked. */
  readonly insecure: boolean
  readonly lookup: LookupFunction | undefined
  /** How sockets read, if that is not by a stream. */
  readonly onread?: OnReadOpts | undefined
  /** True to offer HTTP/2. */
  readonly http2: boolean
}

/**
 * Returns a connector for TLS. Unlike undici's it keeps sessions until others take their place, not until the next
 * garbage collection, so that a connection to a server that is known takes no full handshake.
 */
export function tlsConnector(
  { timeout, insecure, lookup, http2, onread }: TlsOptions,
  context: TlsContext,
): Connector {
  return ({ hostname, host, port, servername, httpSocket }, callback) => {
    const server = servername || serverNameOf(host)
    const key = `${server ?? hostname}:${port}`
    const session = context.sessions.get(key)
    const socket = loadTls().connect({
      ...{ host: hostname, port: Number(port) || 443, highWaterMark: READ_AHEAD },
      ...{
        secureContext: context.secureContext,
        rejectUnauthorized: !insecure,
        ALPNProtocols: http2 ? ['h2', 'http/1.1'] : ['http/1.1'],
      },
      ...(lookup !== undefined && { lookup }),
      ...(onread !== undefined && { onread }),
      ...(server !== undefined && { servername: server }),
      ...(session !== undefined && { session }),
      ...(httpSocket !== undefined && { socket: httpSocket }),
    })
    socket.on('session', (fresh) => context.sessions.keep(key, fresh))
    socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS).setNoDelay(true)
    const clearTimeout = setConnectTimeout(socket, { timeout, hostname, port })
    report(socket, clearTimeout, callback)
    return socket
  }
}

/** Calls back once, when TLS is agreed on or has failed. */
function report(
  socket: Socket,
  clearTimeout: () => void,
  callback: Parameters<Connector>[1],
): void {
  let isReported = false
  const isFirst = () => {
    queueMicrotask(clearTimeout)
    const isFirst = !isReported
    isReported = true
    return isFirst
  }
  socket.once('secureConnect', () => isFirst() && callback(null, socket))
  socket.on('error', (error) => isFirst() && callback(error, null))
}
