import type { Socket } from 'node:net'
import { FetchFailure } from '../../fetch-failure.ts'
import {
  PROXY_AUTHENTICATION_REQUIRED,
  type ProxyServer,
  proxyAuthorization,
  proxyFailure,
  unauthenticated,
} from './proxy-server.ts'
import { readBytes } from './read-bytes.ts'

/** Maximum bytes of the headers of all responses to a CONNECT. */
const MAX_HEAD_BYTES = 16 * 1024

/** Statuses that a proxy sends if it can't reach the site (RFC 9110, 15.6). */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * Opens a tunnel through an HTTP proxy (CONNECT: RFC 9110, 9.3.6).
 * @param target host and port, with brackets around an IPv6 address
 * @throws FetchFailure if the proxy refuses; other errors if it sends no response
 */
export async function openHttpTunnel(
  socket: Socket,
  target: string,
  proxy: ProxyServer,
): Promise<void> {
  const headers = Object.entries({ host: target, ...proxyAuthorization(proxy) })
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`CONNECT ${target} HTTP/1.1\r\n${lines}\r\n`)
  const status = await readStatus(socket)
  if (status >= 200 && status < 300) return
  if (status === PROXY_AUTHENTICATION_REQUIRED) throw unauthenticated()
  if (GATEWAY_STATUSES.has(status)) {
    const message = `the proxy could not reach ${target}: status ${status}`
    throw new FetchFailure('connection-failed', message, 'transient')
  }
  const answered = Number.isNaN(status)
    ? 'did not answer with HTTP'
    : `answered ${status} to CONNECT ${target}`
  throw proxyFailure(`the proxy ${answered}`)
}

/** Returns the status of the final response, after any interim ones (1xx); NaN if it isn't HTTP. */
async function readStatus(socket: Socket): Promise<number> {
  let left = MAX_HEAD_BYTES
  for (;;) {
    const head = await readHead(socket, left)
    left -= head.length
    const status = Number(/^HTTP\/1\.\d (\d{3})[ \r\n]/.exec(head)?.[1])
    if (!(status >= 100 && status < 200)) return status
  }
}

/**
 * Reads the head of a response byte by byte, since the bytes after it belong to the site. Lines may end with LF only, as
 * in the responses of sites.
 */
async function readHead(socket: Socket, maxBytes: number): Promise<string> {
  let head = ''
  while (!head.endsWith('\n\n') && !head.endsWith('\n\r\n')) {
    if (head.length === maxBytes)
      throw new Error(`its response header is longer than ${MAX_HEAD_BYTES} bytes`)
    head += (await readBytes(socket, 1)).toString('latin1')
  }
  return head
}
