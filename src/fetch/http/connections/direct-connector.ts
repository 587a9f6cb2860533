import { connect, type LookupFunction, Socket } from 'node:net'
import { hostAndPort } from '../../../url/host-key.ts'
import { ipFamily } from '../../../url/ip-family.ts'
import {
  type AddressGuard,
  isWithin,
  type Reach,
  unreachableAddress,
} from '../../addresses/address-guard.ts'
import type { FetchFailure } from '../../fetch-failure.ts'
import { failureOf } from '../network-failure.ts'
import {
  type ConnectOptions,
  type Connector,
  type ConnectorTarget,
  originOfTarget,
  type SocketOptions,
} from './connector.ts'
import { reportConnection } from './report-connection.ts'
import { sharedReads } from './shared-read-buffer.ts'
import { tlsConnector } from './tls-connector.ts'

/** Returns a connector that follows the user's options. It doesn't check addresses. */
export function plainConnector(
  options: ConnectOptions,
  socketOptions: SocketOptions = {},
): Connector {
  const plain = tcpConnector(options.timeout, socketOptions)
  const secure = tlsConnector(options, socketOptions)
  return (target, callback) => {
    try {
      return (target.protocol === 'https:' ? secure : plain)(target, callback)
    } catch (error) {
      target.httpSocket?.destroy()
      return callback(failureOf(error), null)
    }
  }
}

/**
 * Returns a connector to sites that respects `guard`. It checks the addresses of a look-up, and the remote address of
 * the connected socket before a byte is sent.
 */
export function directConnector(options: ConnectOptions, guard: AddressGuard): Connector {
  const connectorFor = (target: ConnectorTarget, lookup: LookupFunction) => {
    // Node's HTTP/2 needs sockets that read by a stream.
    const mayBeHttp2 = options.http2 && target.protocol === 'https:' && target.onlyHttp1 !== true
    if (mayBeHttp2) return plainConnector(options, { lookup })
    return sharedReads((onread) => plainConnector(options, { lookup, onread }))
  }
  return (target, callback) => {
    const hostAndPort = hostAndPortOf(target)
    guard.reachOf(hostAndPort, target.hostname).then(
      (reach) => {
        const connect = connectorFor(target, guard.lookupFor(reach, hostAndPort))
        guardedConnector(connect, reach)(target, callback)
      },
      (error) => callback(error, null),
    )
  }
}

function tcpConnector(timeout: number, socketOptions: SocketOptions): Connector {
  return ({ hostname, port }, callback) => {
    const socket = connect({ ...socketOptions, host: hostname, port: Number(port) || 80 })
    reportConnection(socket, 'connect', timeout, callback)
    return socket
  }
}

export function hostAndPortOf(target: ConnectorTarget): string {
  return hostAndPort(originOfTarget(target))
}

/** Wraps a connector so that sockets to addresses outside `reach` are closed. */
export function guardedConnector(connect: Connector, reach: Reach): Connector {
  return (target, callback) => {
    const { hostname } = target
    if (ipFamily(hostname) && !isWithin(reach, hostname)) {
      callback(unreachableAddress(reach, hostname, hostname), null)
      return
    }
    let refusal: FetchFailure | undefined
    const check = (socket: Socket) => {
      const { remoteAddress } = socket
      if (remoteAddress === undefined || isWithin(reach, remoteAddress)) return
      refusal = unreachableAddress(reach, hostname, remoteAddress)
      socket.destroy(refusal)
    }
    const started: unknown = connect(target, (...result) => {
      if (result[0] === null) check(result[1])
      if (refusal === undefined) callback(...result)
      else callback(refusal, null)
    })
    // The check runs before the TLS handshake, which would send bytes to the host.
    if (started instanceof Socket) started.prependOnceListener('connect', () => check(started))
  }
}
