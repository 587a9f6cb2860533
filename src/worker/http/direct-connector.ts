import { isIP, type LookupFunction, Socket } from 'node:net'
import { hostAndPort } from '../../url/host-key.ts'
import { type AddressGuard, privateAddress } from './address-guard.ts'
import type { FetchFailure } from './fetch-failure.ts'
import { isPublicAddress } from './ip-address.ts'
import { buildConnector, type Connector } from './undici.ts'

export interface ConnectOptions {
  /** Milliseconds to look a name up, connect, and agree on TLS. */
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
  const anywhere = plainConnector(options, guard.lookup)
  const publicOnly = guardedConnector(plainConnector(options, guard.publicLookup))
  return (target, callback) => {
    // undici's `host` has brackets, and no default port.
    const place = hostAndPort(`${target.protocol}//${target.host}`)
    guard.mayBePrivate(place, target.hostname).then(
      (mayBePrivate) => (mayBePrivate ? anywhere : publicOnly)(target, callback),
      (error) => callback(error, null),
    )
  }
}

/** Lets no socket through that arrived at a private address. */
export function guardedConnector(connect: Connector): Connector {
  return (target, callback) => {
    const { hostname } = target
    if (isIP(hostname) && !isPublicAddress(hostname)) {
      callback(privateAddress(hostname, hostname), null)
      return
    }
    let refusal: FetchFailure | undefined
    const check = (socket: Socket) => {
      const { remoteAddress } = socket
      if (remoteAddress === undefined || isPublicAddress(remoteAddress)) return
      refusal = privateAddress(hostname, remoteAddress)
      socket.destroy(refusal)
    }
    const started: unknown = connect(target, (...result) => {
      if (result[0] === null) check(result[1])
      if (refusal === undefined) callback(...result)
      else callback(refusal, null)
    })
    // Sooner than after TLS, which would show the private host that somebody calls.
    if (started instanceof Socket) started.prependOnceListener('connect', () => check(started))
  }
}
