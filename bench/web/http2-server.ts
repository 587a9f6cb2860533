import { createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2'
import type { TLSSocket, TlsOptions } from 'node:tls'
import { hostAt, nameOf } from './generated-web.ts'
import type { Serving } from './http1-server.ts'
import type { Request } from './responses.ts'

/** Returns a server of only HTTP/2 for all hosts of the web, which it identifies by their addresses. */
export function http2Server(serving: Serving, tls: TlsOptions): Http2SecureServer {
  const { ledger } = serving
  const server = createSecureServer({ ...tls, minVersion: 'TLSv1.3' })
  server.on('secureConnection', (socket: TLSSocket) => {
    ledger.connected()
    ledger.shookHands(hostAt(socket.localAddress ?? ''), socket.isSessionReused())
    socket.on('close', () => ledger.disconnected())
  })
  server.on('sessionError', () => {})
  server.on('session', (session) => {
    const host = hostAt(session.socket.localAddress ?? '')
    session.on('error', () => {})
    session.on('stream', (stream, headers) => {
      const etag = headers['if-none-match']
      const isOwn = headers[':authority'] === nameOf(host)
      ledger.began(host, headers['user-agent'] ?? '', isOwn)
      const { web } = serving
      stream.on('error', () => {})
      if (web.breakageOf(host) === 'times out') {
        stream.once('close', () => ledger.ended(host, 0, 0))
        return
      }
      const path = headers[':path'] ?? '/'
      const isHead = headers[':method'] === 'HEAD'
      setTimeout(() => respond(stream, serving, { host, path, etag }, isHead), web.latencyOf(host))
    })
  })
  return server
}

function respond(
  stream: ServerHttp2Stream,
  { web, responses, ledger }: Serving,
  request: Request,
  isHead: boolean,
): void {
  const { host } = request
  const session = stream.session
  if (stream.destroyed || web.breakageOf(host) === 'resets') {
    ledger.ended(host, 0, 0)
    session?.destroy()
    return
  }
  const { status, headers, body } = responses.of(request)
  const bytes = Buffer.concat(body)
  const length = status === 304 ? {} : { 'content-length': bytes.length }
  stream.respond({ ':status': status, ...headers, ...length })
  stream.end(isHead ? undefined : bytes)
  ledger.ended(host, status, bytes.length)
}
