import { codeOf } from '../../../errors.ts'
import type { ErrorCode } from '../../../records/error-code.ts'
import { loadTls } from '../../../runtime/load-tls.ts'
import { ipFamily } from '../../../url/ip-family.ts'
import { failureOf } from '../network-failure.ts'
import {
  type ConnectCallback,
  type ConnectOptions,
  type Connector,
  originOfTarget,
  type SocketOptions,
} from './connector.ts'
import { reportConnection } from './report-connection.ts'
import { StaleConnectionError } from './stale-connection.ts'

/** Bytes to read ahead: the size of a TLS record. */
const READ_AHEAD = 16 * 1024

/** Code of the error if a server supports none of the offered protocols. */
export const NO_COMMON_PROTOCOL = 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL'

/** Failures by which a server may refuse a handshake. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['tls-failure', 'connection-reset'])

const HTTP1 = alpnOffer('http/1.1')
const BOTH = alpnOffer('h2', 'http/1.1')

/**
 * Returns a connector for TLS. It keeps sessions until newer ones replace them, so a further connection to a server
 * needs no full handshake. undici's connector keeps them only until the next garbage collection.
 */
export function tlsConnector(
  { timeout, insecure, http2, tls }: ConnectOptions,
  socketOptions: SocketOptions,
): Connector {
  return (target, callback) => {
    const { hostname, port, httpSocket, onlyHttp1 = false } = target
    const context = tls.byOrigin.get(originOfTarget(target)) ?? tls.anonymous
    const server = serverNameOf(hostname)
    const key = `${server ?? hostname}:${port}`
    const session = context.sessions.get(key)
    const socket = loadTls().connect({
      ...socketOptions,
      host: hostname,
      port: Number(port) || 443,
      ...{ highWaterMark: READ_AHEAD }, // Node's types lack this option
      secureContext: context.secureContext,
      rejectUnauthorized: !insecure,
      ALPNProtocols: http2 && !onlyHttp1 ? BOTH : HTTP1,
      ...(server !== undefined && { servername: server }),
      ...(session !== undefined && { session }),
      ...(httpSocket !== undefined && { socket: httpSocket }),
    })
    socket.on('session', (fresh) => context.sessions.keep(key, fresh))
    const onRefused = () => context.sessions.refused(key)
    const report = session === undefined ? callback : withoutSessionNext(callback, onRefused)
    reportConnection(socket, 'secureConnect', timeout, report)
    return socket
  }
}

/**
 * Wraps the callback of a connection that offers a session. If its server refuses it, the next attempt can do without:
 * some servers refuse their own sessions, for example behind a load balancer.
 */
function withoutSessionNext(callback: ConnectCallback, onRefused: () => void): ConnectCallback {
  return (...result) => {
    const [error] = result
    const failure = error === null || codeOf(error) === NO_COMMON_PROTOCOL ? null : failureOf(error)
    if (failure === null || !REFUSALS.has(failure.code)) callback(...result)
    else {
      onRefused()
      callback(new StaleConnectionError(failure.message), null)
    }
  }
}

/** Returns the server name for TLS (RFC 6066, 3): no dot at its end; undefined for an address, which isn't allowed. */
function serverNameOf(hostname: string): string | undefined {
  return ipFamily(hostname) === 0 ? hostname.replace(/\.$/, '') : undefined
}

/**
 * Returns the names of protocols in the format of TLS (RFC 7301, 3.1). Node copies them for each connection. The copy
 * of a DataView has its own memory. The copy of strings or a Buffer would be a part of Node's pool, and keep 64 KiB of
 * it in memory.
 */
function alpnOffer(...names: readonly string[]): DataView {
  const bytes = names.flatMap((name) => [name.length, ...Buffer.from(name)])
  return new DataView(Uint8Array.from(bytes).buffer)
}
