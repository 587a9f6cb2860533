import { isIP, type LookupFunction, Socket } from 'node:net'
import { hostAndPort } from '../../../url/host-key.ts'
import {
  type AddressGuard,
  isWithin,
  type Reach,
  unreachableAddress,
} from '../../addresses/address-guard.ts'
import type { FetchFailure } from '../../fetch-failure.ts'
import { buildConnector, type Connector } from './undici.ts'

export interface ConnectOptions {
  /** Milliseconds to look a name up, connect, and negotiate TLS. */
  readonly timeout: number
  readonly insecure: boolean
}

/** undici's connector for HTTP/1.1, as the user wants it. */
export function plainConnector(
  { timeout, insecure }: ConnectOptions,
  lookup?: LookupFunction,
): Connector {
  const tls = { timeout, rejectUnauthorized: !insecure, allowH2: false }
  return buildConnector(lookup === undefined ? tls : { ...tls, lookup })
}

/**
 * Connects to sites where `guard` lets it. Addresses are checked as they are looked up, and once
 * more where the socket has arrived, before a byte is sent.
 */
export function directConnector(options: ConnectOptions, guard: AddressGuard): Connector {
  const to = (reach: Reach) =>
    guardedConnector(plainConnector(options, guard.lookupFor(reach)), reach)
  const connectors = { any: to('any'), public: to('public'), private: to('private') }
  return (target, callback) => {
    // undici's `host` has brackets, and no default port.
    const place = hostAndPort(`${target.protocol}//${target.host}`)
    guard.reachOf(place, target.hostname).then(
      (reach) => connectors[reach](target, callback),
      (error) => callback(error, null),
    )
  }
}

/** Wraps a connector so that sockets to addresses out of reach are closed. */
export function guardedConnector(connect: Connector, reach: Reach = 'public'): Connector {
  return (target, callback) => {
    const { hostname } = target
    if (isIP(hostname) && !isWithin(reach, hostname)) {
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
    // Before TLS, which would send bytes to the host.
    if (started instanceof Socket) started.prependOnceListener('connect', () => check(started))
  }
}
