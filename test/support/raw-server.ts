import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Certificate } from './certificates.ts'
import { listen } from './listen.ts'

/** Answers one request, of which `head` is all that was received. Everything that is written is sent unchanged. */
type RawAnswerer = (socket: Socket, head: string) => void

export interface RawServer {
  /** Origin without a slash at its end. */
  readonly url: string
  readonly port: number
  /** The headers of the requests, as received. */
  readonly heads: readonly string[]
  /** Number of connections so far. */
  readonly connections: number
  /** Stops listening and cuts every connection. */
  close(): Promise<void>
}

/** Starts a server on loopback that sends bytes, which need not be HTTP. */
export async function startRawServer(
  answer: RawAnswerer,
  certificate?: Certificate,
): Promise<RawServer> {
  const heads: string[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const receive = (socket: Socket) => {
    connections++
    let pending = ''
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    sockets.add(socket)
    socket.on('data', (bytes: Buffer) => {
      pending += bytes.toString('latin1')
      for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
        const head = pending.slice(0, end)
        pending = pending.slice(end + 4)
        heads.push(head)
        answer(socket, head)
      }
    })
  }
  const server =
    certificate === undefined ? createServer(receive) : createTlsServer(certificate, receive)
  server.on('tlsClientError', () => {})
  const port = await listen(server)
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    heads,
    get connections() {
      return connections
    },
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
