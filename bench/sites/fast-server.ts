import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

export interface FastServer {
  readonly origin: string
  close(): Promise<void>
}

export interface FastOptions {
  /** Returns the HTML page at a path. */
  page(path: string): string
  /** Called for each request with its path, before the response. */
  onRequest?: (path: string) => void
  onConnection?: () => void
  /** Milliseconds after which an idle connection is closed; by default it is kept. */
  idleMs?: number
  /** Milliseconds before a response. */
  delayMs?: number
  /** The address to listen at; by default a free port of loopback. */
  address?: { readonly host: string; readonly port: number }
}

const END = '\r\n\r\n'

/**
 * Starts a server that handles only GET, several times as fast as node:http. So it doesn't slow a crawler down if it
 * has a core of its own. It runs on the thread that starts it. It has no robots.txt.
 */
export async function startFastServer(options: FastOptions): Promise<FastServer> {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    options.onConnection?.()
    if (options.idleMs !== undefined) socket.setTimeout(options.idleMs, () => socket.destroy())
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    serve(socket, options)
  })
  const { host, port: wanted } = options.address ?? { host: '127.0.0.1', port: 0 }
  server.listen({ host, port: wanted, backlog: 4096 })
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    origin: `http://${host}:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await once(server.close(), 'close')
    },
  }
}

function serve(socket: Socket, { page, onRequest, delayMs = 0 }: FastOptions): void {
  let rest = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    rest += chunk
    for (let end = rest.indexOf(END); end >= 0; end = rest.indexOf(END)) {
      const path = rest.slice('GET '.length, rest.indexOf(' ', 'GET '.length))
      rest = rest.slice(end + END.length)
      onRequest?.(path)
      const answer = path === '/robots.txt' ? missing() : found(page(path))
      if (delayMs === 0) socket.write(answer, 'latin1')
      else setTimeout(() => socket.write(answer, 'latin1'), delayMs)
    }
  })
}

function found(body: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

function missing(): string {
  return 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'
}
