import { createServer as createHttp1Server } from 'node:http'
import type { Socket } from 'node:net'
import { createServer } from 'node:tls'
import { onTestFinished } from 'vitest'
import { selfSigned } from './certificates.ts'
import { frame } from './http2-server.ts'
import { listen } from './listen.ts'

const [DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY] = [0, 1, 3, 4, 7]
const [END_STREAM, END_HEADERS, ACK] = [1, 4, 1]
const MAX_CONCURRENT_STREAMS = 3
const PREFACE_BYTES = 24
const FRAME_HEAD_BYTES = 9
/** The field `:status: 200`, and the name of content-length (RFC 7541, appendix A). */
const OK = [0x88]
const CONTENT_LENGTH = [0x0f, 0x0d]

/** Returns the header of a response of status 200. */
export function headersFrame(stream: number, length?: number): Buffer {
  const digits = Buffer.from(`${length}`)
  const field = length === undefined ? [] : [...CONTENT_LENGTH, digits.length, ...digits]
  return frame(HEADERS, END_HEADERS, stream, Buffer.from([...OK, ...field]))
}

export function dataFrame(stream: number, text: string, isLast = false): Buffer {
  return frame(DATA, isLast ? END_STREAM : 0, stream, text)
}

/** Returns a whole response. */
export function pageFrames(stream: number): Buffer {
  return Buffer.concat([headersFrame(stream), dataFrame(stream, 'page', true)])
}

/** Returns settings that limit the streams at a time. */
export function settingsFrame(maxStreams: number): Buffer {
  const payload = Buffer.alloc(6)
  payload.writeUInt16BE(MAX_CONCURRENT_STREAMS)
  payload.writeUInt32BE(maxStreams, 2)
  return frame(SETTINGS, 0, 0, payload)
}

export function resetFrame(stream: number, code: number): Buffer {
  return frame(RST_STREAM, 0, stream, numbers(code))
}

/** @param last stream that the server may have processed */
export function goawayFrame(last: number, code: number): Buffer {
  return frame(GOAWAY, 0, 0, numbers(last, code))
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

/** An HTTP/2 request, counted from 1 in its connection. */
export interface FramedRequest {
  readonly socket: Socket
  readonly connection: number
  readonly stream: number
}

/** Responds to a request with a page. */
export function answerPage({ socket, stream }: FramedRequest): void {
  socket.write(pageFrames(stream))
}

/**
 * Starts a server that calls `answer` for HTTP/2 requests, which writes frames, and responds to HTTP/1.1 with a page.
 * Lists the requests as connection and stream, such as `1/3`, or as a path; `sockets` has the open connections.
 * @param answer undefined closes HTTP/2 connections before the settings
 */
export async function serveByFrames(
  answer?: (request: FramedRequest) => void,
  settings: Buffer = frame(SETTINGS, 0, 0),
) {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const names: unknown[] = []
  let connections = 0
  const http1 = createHttp1Server((request, response) => {
    requests.push(request.url ?? '')
    response.end('page')
  })
  const options = { ...(await selfSigned()), ALPNProtocols: ['h2', 'http/1.1'] }
  const server = createServer(options, (socket) => {
    names.push(socket.servername)
    sockets.add(socket.on('error', () => {}))
    socket.on('close', () => sockets.delete(socket))
    if (socket.alpnProtocol !== 'h2') http1.emit('connection', socket)
    else if (answer === undefined) socket.once('data', () => socket.destroy())
    else {
      const connection = ++connections
      socket.write(settings)
      readRequests(socket, (stream) => {
        requests.push(`${connection}/${stream}`)
        answer({ socket, connection, stream })
      })
    }
  })
  const port = await listen(server)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `https://127.0.0.1:${port}`, server, requests, sockets, names }
}

/** Acknowledges settings, and calls back with the number of each stream that starts. */
function readRequests(socket: Socket, onRequest: (stream: number) => void): void {
  let unread = Buffer.alloc(0)
  let at = PREFACE_BYTES
  socket.on('data', (bytes) => {
    unread = Buffer.concat([unread, bytes])
    while (unread.length >= at + FRAME_HEAD_BYTES) {
      const type = unread.readUInt8(at + 3)
      const isAck = unread.readUInt8(at + 4) === ACK
      const stream = unread.readUInt32BE(at + 5)
      at += FRAME_HEAD_BYTES + unread.readUIntBE(at, 3)
      if (type === SETTINGS && !isAck) socket.write(frame(SETTINGS, ACK, 0))
      if (type === HEADERS) onRequest(stream)
    }
  })
}
