import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { listen } from './listen.ts'
import { tunnel } from './tunnel.ts'

export interface Socks5Server {
  /** `socks5://127.0.0.1:41234`. */
  readonly url: string
  /** The targets of all requests, as host and port. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

interface Socks5Options {
  readonly credentials?: { readonly username: string; readonly password: string }
  /** Reply that is sent instead of a connection (RFC 1928, section 6). */
  readonly reply?: number
}

/** Starts a SOCKS5 proxy on loopback, which connects to loopback for every site. */
export async function startSocks5Server(options: Socks5Options = {}): Promise<Socks5Server> {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    void serve(socket, options, requests).catch(() => socket.destroy())
  })
  const port = await listen(server)
  return {
    url: `socks5://127.0.0.1:${port}`,
    requests,
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

async function serve(socket: Socket, options: Socks5Options, requests: string[]): Promise<void> {
  const { credentials, reply } = options
  const [, methods = 0] = await take(socket, 2)
  const wanted = credentials === undefined ? 0 : 2
  const offered = await take(socket, methods)
  if (!offered.includes(wanted)) return void socket.end(Buffer.of(5, 0xff))
  socket.write(Buffer.of(5, wanted))
  if (credentials !== undefined) {
    await take(socket, 1)
    const isRight =
      (await takeText(socket)) === credentials.username &&
      (await takeText(socket)) === credentials.password
    socket.write(Buffer.of(1, isRight ? 0 : 1))
    if (!isRight) return void socket.end()
  }
  const [, , , type] = await take(socket, 4)
  const host =
    type === 1
      ? (await take(socket, 4)).join('.')
      : type === 4
        ? (await take(socket, 16)).toString('hex')
        : await takeText(socket)
  const port = (await take(socket, 2)).readUInt16BE()
  requests.push(`${host}:${port}`)
  const answer = (code: number) => socket.write(Buffer.of(5, code, 0, 3, 1, 0x78, 0, 80))
  if (reply !== undefined) answer(reply)
  else
    tunnel(
      socket,
      port,
      () => answer(0),
      () => answer(5),
    )
}

async function takeText(socket: Socket): Promise<string> {
  const [length = 0] = await take(socket, 1)
  return (await take(socket, length)).toString()
}

async function take(socket: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const bytes: Buffer | null = socket.read(count)
    if (bytes !== null) return bytes
    await once(socket, 'readable')
  }
}
