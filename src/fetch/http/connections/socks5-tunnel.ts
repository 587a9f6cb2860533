import type { Socket } from 'node:net'
import type { ErrorCode } from '../../../records/error-code.ts'
import { addressBytes } from '../../addresses/private-address.ts'
import { FetchFailure } from '../../fetch-failure.ts'
import { type ProxyServer, proxyFailure } from './proxy-server.ts'
import { readBytes } from './read-bytes.ts'

const VERSION = 5
const NO_AUTHENTICATION = 0
const USERNAME_PASSWORD = 2
const CONNECT = 1
const IPV4 = 1
const DOMAIN = 3
const IPV6 = 4

/** Replies that report a failure of the site, not of the proxy (RFC 1928, section 6). */
const SITE_FAILURES: ReadonlyMap<number, readonly [ErrorCode, why: string]> = new Map([
  [3, ['connection-failed', 'its network is unreachable']],
  [4, ['connection-failed', 'the host is unreachable']],
  [5, ['connection-refused', 'the connection was refused']],
  [6, ['timeout', 'it took too long']],
])

/**
 * Opens a tunnel through a SOCKS5 proxy (RFC 1928, and RFC 1929 for credentials). The proxy looks names up.
 * @throws FetchFailure if the proxy refuses; other errors if it sends no reply
 */
export async function openSocks5Tunnel(
  socket: Socket,
  hostname: string,
  port: number,
  { credentials }: ProxyServer,
): Promise<void> {
  const methods = [NO_AUTHENTICATION, ...(credentials === undefined ? [] : [USERNAME_PASSWORD])]
  socket.write(Buffer.of(VERSION, methods.length, ...methods))
  const [version, chosen] = await readBytes(socket, 2)
  if (version !== VERSION) throw refused('it does not speak SOCKS5')
  if (chosen === USERNAME_PASSWORD && credentials !== undefined)
    await authenticate(socket, credentials)
  else if (chosen !== NO_AUTHENTICATION)
    throw refused('it accepts none of the offered authentication methods')
  const address = addressOf(hostname)
  socket.write(Buffer.concat([Buffer.of(VERSION, CONNECT, 0), address, bigEndian(port)]))
  await readReply(socket, hostname)
}

async function authenticate(
  socket: Socket,
  { username, password }: NonNullable<ProxyServer['credentials']>,
): Promise<void> {
  socket.write(Buffer.concat([Buffer.of(1), counted(username), counted(password.reveal())]))
  const [, status] = await readBytes(socket, 2)
  if (status !== 0) throw refused('it does not take these credentials')
}

/** Reads a reply exactly to its end, since the bytes after it belong to the site. */
async function readReply(socket: Socket, hostname: string): Promise<void> {
  const [version, reply = 0xff, , type] = await readBytes(socket, 4)
  if (version !== VERSION) throw refused('it does not speak SOCKS5')
  const failure = SITE_FAILURES.get(reply)
  if (failure !== undefined) {
    const [code, why] = failure
    const message = `the proxy could not reach ${hostname}: ${why}`
    throw new FetchFailure(code, message, 'transient')
  }
  if (reply !== 0) throw refused(`it gave reply ${reply} for ${hostname}`)
  await readBytes(socket, (await lengthOf(socket, type)) + 2)
}

async function lengthOf(socket: Socket, type: number | undefined): Promise<number> {
  if (type === IPV4) return 4
  if (type === IPV6) return 16
  if (type === DOMAIN) return (await readBytes(socket, 1))[0] ?? 0
  throw refused('it names an unknown type of address')
}

function addressOf(hostname: string): Buffer {
  const bytes = addressBytes(hostname)
  if (bytes === undefined) return Buffer.concat([Buffer.of(DOMAIN), counted(hostname)])
  return Buffer.of(bytes.length === 4 ? IPV4 : IPV6, ...bytes)
}

/** Returns the bytes of a text, preceded by a byte with their number (at most 255). */
function counted(text: string): Buffer {
  const bytes = Buffer.from(text)
  if (bytes.length > 255) throw refused('a name of more than 255 bytes is beyond SOCKS5')
  return Buffer.concat([Buffer.of(bytes.length), bytes])
}

function bigEndian(port: number): Buffer {
  return Buffer.of(port >> 8, port & 0xff)
}

function refused(why: string): FetchFailure {
  return proxyFailure(`the proxy: ${why}`)
}
