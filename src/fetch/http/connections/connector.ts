import type { LookupFunction, OnReadOpts, Socket } from 'node:net'
import { withoutBrackets } from '../../../url/ip-family.ts'
import type { TlsContexts } from './tls-contexts.ts'

/** The user's options for connections. */
export interface ConnectOptions {
  /** Time limit in milliseconds to look a name up, connect, and negotiate TLS. */
  readonly timeout: number
  /** True to accept any certificate. */
  readonly insecure: boolean
  /** True to offer HTTP/2. */
  readonly http2: boolean
  readonly tls: TlsContexts
}

/** Options for the sockets of a connector. */
export interface SocketOptions {
  /** Looks names up; by default as the system does. */
  readonly lookup?: LookupFunction
  /** Reads into a given buffer; by default, sockets read by a stream. */
  readonly onread?: OnReadOpts
}

/** A server to connect to. */
export interface ConnectorTarget {
  /** `http:`, or `https:` to use TLS. */
  readonly protocol: string
  /** Host and port as in an origin: with brackets around an IPv6 address, without a default port. */
  readonly host?: string
  /** The host name, or an address without brackets. */
  readonly hostname: string
  /** The port; empty for the default port. */
  readonly port: string
  /** True to offer only HTTP/1.1. */
  readonly onlyHttp1?: boolean
  /** A tunnel to the server; undefined to open a socket. */
  readonly httpSocket?: Socket
}

/**
 * Opens a socket to a server. undici accepts functions of this type.
 * @returns the socket, which is still connecting, if it is created synchronously
 */
export type Connector = (target: ConnectorTarget, callback: ConnectCallback) => unknown

/** Called once, with a connected socket or the error. */
export type ConnectCallback = (
  ...result: [error: null, socket: Socket] | [error: Error, socket: null]
) => void

/** Returns the server of an origin. */
export function targetOfOrigin(origin: string): ConnectorTarget {
  const { protocol, host, hostname, port } = new URL(origin)
  return { protocol, host, hostname: withoutBrackets(hostname), port }
}

/** Returns the origin of a server. */
export function originOfTarget({ protocol, host }: ConnectorTarget): string {
  return `${protocol}//${host}`
}

/** Destroys a socket that was opened, but isn't needed. Nobody is interested in its errors. */
export function discard(socket: Socket | null): void {
  socket?.on('error', () => {}).destroy()
}
