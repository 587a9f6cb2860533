import type { Socket } from 'node:net'

/** A server to connect to. */
export interface ConnectorTarget {
  /** `http:` or `https:`, which takes TLS. */
  readonly protocol: string
  /** As in an origin: brackets around an IPv6 address, no default port. */
  readonly host?: string
  /** Without brackets. */
  readonly hostname: string
  /** Empty for the default port. */
  readonly port: string
  /** True to offer HTTP/1.1 alone. */
  readonly onlyHttp1?: boolean
  /** A tunnel to the server; without it, a socket is opened. */
  readonly httpSocket?: Socket
}

/**
 * Opens a socket to a server. undici takes the same functions.
 * @returns the socket while it is being connected, if it is opened at once
 */
export type Connector = (
  target: ConnectorTarget,
  callback: (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void,
) => unknown

/** Returns the origin of a server. */
export function originOfTarget({ protocol, host }: ConnectorTarget): string {
  return `${protocol}//${host}`
}
