import type { Socket } from 'node:net'
import { FetchFailure } from '../../fetch-failure.ts'
import { type ProxyServer, proxyAuthorization } from './proxy-server.ts'
import { readBytes } from './read-bytes.ts'

const MAX_HEAD_BYTES = 16 * 1024

/** Statuses of gateways when the fault is beyond them (RFC 9110, 15.6). */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * Has an HTTP proxy pass on what comes (CONNECT: RFC 9110, 9.3.6).
 * @param target host and port, an IPv6 address in brackets
 * @throws FetchFailure for an answer that says no, other errors for none
 */
export async function openHttpTunnel(
  socket: Socket,
  target: string,
  proxy: ProxyServer,
): Promise<void> {
  const headers = Object.entries({ host: target, ...proxyAuthorization(proxy) })
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`CONNECT ${target} HTTP/1.1\r\n${lines}\r\n`)
  const head = await readHead(socket)
  const status = Number(/^HTTP\/1\.\d (\d{3})(?: |\r)/.exec(head)?.[1])
  if (status >= 200 && status < 300) return
  if (GATEWAY_STATUSES.has(status)) {
    const message = `the proxy could not reach ${target}: status ${status}`
    throw new FetchFailure('connection-failed', message, true)
  }
  const said = Number.isNaN(status) ? 'what is no HTTP' : `${status} to CONNECT ${target}`
  throw new FetchFailure('proxy-failure', `the proxy answered ${said}`, false)
}

/** Byte by byte, for what follows is the site's. */
async function readHead(socket: Socket): Promise<string> {
  let head = ''
  while (!head.endsWith('\r\n\r\n')) {
    if (head.length === MAX_HEAD_BYTES) throw new Error('its answer has no end')
    head += (await readBytes(socket, 1)).toString('latin1')
  }
  return head
}
