import type { RequestListener } from 'node:http'
import {
  createSecureServer,
  type IncomingHttpHeaders,
  type SecureServerOptions,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Socket } from 'node:net'
import { createServer } from 'node:tls'
import { onTestFinished } from 'vitest'
import { selfSigned } from './certificates.ts'
import { listen } from './listen.ts'

type StreamHandler = (stream: ServerHttp2Stream, path: string, headers: IncomingHttpHeaders) => void

interface Options extends SecureServerOptions {
  /** Called for requests of both versions. */
  readonly onRequest?: RequestListener
}

/** Starts an HTTP/2 server that is closed with the test. `sessions` contains its connections. */
export async function serveHttp2(answer: StreamHandler, { onRequest, ...options }: Options = {}) {
  const server = createSecureServer({ ...(await selfSigned()), ...options })
  if (onRequest !== undefined)
    server.on('request', (...args) => Reflect.apply(onRequest, undefined, args))
  const open = new Set<{ destroy(): void }>()
  server.on('session', (session) => open.add(session.on('error', () => {})))
  server.on('stream', (stream, headers) => {
    answer(
      stream.on('error', () => {}),
      String(headers[':path']),
      headers,
    )
  })
  const port = await listen(server)
  onTestFinished(() => {
    for (const session of open) session.destroy()
    server.close()
  })
  return { url: `https://127.0.0.1:${port}`, port, sessions: open }
}

/** Starts a server that agrees on HTTP/2 and then writes these bytes, repeatedly if `isEndless`. */
export async function serveFrames(frames: Buffer, isEndless = false): Promise<string> {
  const write = (socket: Socket) => {
    while (!socket.destroyed && socket.write(frames) && isEndless);
  }
  const sockets = new Set<Socket>()
  const server = createServer({ ...(await selfSigned()), ALPNProtocols: ['h2'] }, (socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.once('data', () => write(socket))
    if (isEndless) socket.on('drain', () => write(socket))
    socket.resume()
  })
  const port = await listen(server)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `https://127.0.0.1:${port}`
}

/** Returns an HTTP/2 frame (RFC 9113, 4.1). */
export function frame(type: number, flags: number, stream: number, payload: string | Buffer = '') {
  const head = Buffer.alloc(9)
  const bytes = Buffer.from(payload)
  head.writeUIntBE(bytes.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, bytes])
}
