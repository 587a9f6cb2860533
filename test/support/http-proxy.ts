import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Certificate } from './certificates.ts'
import { listen } from './listen.ts'
import { tunnel } from './tunnel.ts'

export interface HttpProxy {
  /** Origin without a slash at its end. */
  readonly url: string
  /** The first line of each request: `CONNECT site.test:443`, `GET http://site.test/`. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

interface ProxyOptions {
  /** The required value of Proxy-Authorization. */
  readonly authorization?: string
  readonly certificate?: Certificate
  /** Status of the response to every CONNECT. */
  readonly status?: number
  /** Sent before the response to CONNECT. */
  readonly interim?: string
}

/** Starts an HTTP proxy on loopback, which connects to loopback for every site. */
export async function startHttpProxy(options: ProxyOptions = {}): Promise<HttpProxy> {
  const { authorization, certificate, status, interim = '' } = options
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const isAllowed = ({ headers }: IncomingMessage) =>
    authorization === undefined || headers['proxy-authorization'] === authorization
  const forward = (request: IncomingMessage, response: ServerResponse) => {
    requests.push(`${request.method} ${request.url}`)
    if (!isAllowed(request)) return void response.writeHead(407).end()
    const { port, pathname } = new URL(request.url ?? '')
    const { 'proxy-authorization': _, ...headers } = request.headers
    send({ host: '127.0.0.1', port, path: pathname, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
      .on('error', () => response.writeHead(502).end())
      .end()
  }
  const server =
    certificate === undefined ? createServer(forward) : createTlsServer(certificate, forward)
  server.on('connection', (socket) => sockets.add(socket))
  server.on('tlsClientError', () => {})
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    requests.push(`CONNECT ${request.url}`)
    const refuse = (code: number) => socket.end(`HTTP/1.1 ${code} No\r\nContent-Length: 0\r\n\r\n`)
    if (!isAllowed(request)) refuse(407)
    else if (status !== undefined) refuse(status)
    else {
      const open = () => socket.write(`${interim}HTTP/1.1 200 Connection established\r\n\r\n`)
      tunnel(socket, Number(request.url?.split(':').at(-1)), open, () => refuse(502))
    }
  })
  const port = await listen(server)
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
