import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket, type TlsOptions } from 'node:tls'
import { type GeneratedWeb, hostAt, nameOf } from './generated-web.ts'
import type { HostLedger } from './host-ledger.ts'
import type { Response, Responses } from './responses.ts'

const END = '\r\n\r\n'
const REASONS: Record<number, string> = { 200: 'OK', 304: 'Not Modified', 404: 'Not Found' }

export interface Serving {
  readonly web: GeneratedWeb
  readonly responses: Responses
  readonly ledger: HostLedger
}

/**
 * Returns an HTTP/1.1 server for all hosts of the web, which it identifies by their addresses. It is several times as
 * fast as node:http. With a certificate, it uses TLS.
 */
export function http1Server(serving: Serving, tls?: TlsOptions): Server {
  const onConnection = (socket: Socket) => serve(socket, serving)
  return tls === undefined
    ? createServer({ noDelay: true }, onConnection)
    : createTlsServer({ ...tls, minVersion: 'TLSv1.3', ALPNProtocols: ['http/1.1'] }, onConnection)
}

function serve(socket: Socket, serving: Serving): void {
  const { web, ledger } = serving
  const host = hostAt(socket.localAddress ?? '')
  const [breakage, name, latency] = [web.breakageOf(host), nameOf(host), web.latencyOf(host)]
  ledger.connected()
  if (socket instanceof TLSSocket) ledger.shookHands(host, socket.isSessionReused())
  socket.on('close', () => ledger.disconnected()).on('error', () => socket.destroy())
  let rest = ''
  socket.on('data', (chunk: Buffer) => {
    rest += chunk.toString('latin1')
    for (let end = rest.indexOf(END); end >= 0; end = rest.indexOf(END)) {
      const text = rest.slice(0, end)
      rest = rest.slice(end + END.length)
      ledger.began(host, headerOf(text, 'user-agent') ?? '', headerOf(text, 'host') === name)
      if (breakage === 'times out') socket.once('close', () => ledger.ended(host, 0, 0))
      else setTimeout(() => respond(socket, serving, host, text), latency)
    }
  })
}

function respond(socket: Socket, { web, responses, ledger }: Serving, host: number, text: string) {
  if (web.breakageOf(host) === 'resets') {
    ledger.ended(host, 0, 0)
    if (socket instanceof TLSSocket) socket.destroy()
    else socket.resetAndDestroy()
    return
  }
  const [method, path = '/'] = text.slice(0, text.indexOf('\r\n')).split(' ')
  const isHead = method === 'HEAD'
  const response = responses.of({ host, path, etag: headerOf(text, 'if-none-match') })
  const bytes = write(socket, response, isHead)
  ledger.ended(host, response.status, bytes)
}

function write(socket: Socket, { status, headers, body }: Response, isHead: boolean): number {
  let length = 0
  for (const piece of body) length += piece.length
  let head = `HTTP/1.1 ${status} ${REASONS[status] ?? 'Other'}\r\nContent-Length: ${length}\r\n`
  if (status === 304) head = `HTTP/1.1 304 Not Modified\r\n`
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`
  socket.cork()
  socket.write(`${head}\r\n`, 'latin1')
  if (!isHead) for (const piece of body) socket.write(piece)
  socket.uncork()
  return length
}

/** Returns the value of a header, by its name in lower case. */
function headerOf(text: string, name: string): string | undefined {
  return new RegExp(`\\r\\n${name}: *([^\\r]*)`, 'i').exec(text)?.[1]
}
