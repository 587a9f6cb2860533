import type { Socket } from 'node:net'
import type { Misbehave } from './behaviour.ts'

type Bytes = Buffer | string

/** Time for a client on a busy machine to read what was sent. */
const READ_MS = 1_500
const PAGE = 'Content-Type: text/html\r\n'

/** Sends bytes, and nothing after them. The connection stays open. */
export function bytes(text: Bytes): Misbehave {
  return (socket) => void socket.write(text, 'latin1')
}

/** Sends bytes, then ends the connection. */
export function bytesAndEnd(text: Bytes): Misbehave {
  return (socket) => void socket.end(text, 'latin1')
}

/** Sends bytes, then resets the connection after they were read, since an earlier reset would discard them. */
export function bytesAndReset(text: string): Misbehave {
  return (socket) => {
    if (text === '') socket.resetAndDestroy()
    else socket.write(text, 'latin1', () => setTimeout(() => socket.resetAndDestroy(), READ_MS))
  }
}

/** Returns the start of a response with a page, and further header lines. */
export function head(lines = '', status = '200 OK'): string {
  return `HTTP/1.1 ${status}\r\n${PAGE}${lines}\r\n`
}

/** Returns a valid response, except for its extra header lines or its body. */
export function page(body: Bytes, lines = ''): Buffer {
  const rest = Buffer.from(body)
  const start = head(`Content-Length: ${rest.length}\r\n${lines}`)
  return Buffer.concat([Buffer.from(start, 'latin1'), rest])
}

/** Returns a redirect with this Location. */
export function redirect(location: string): string {
  return `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`
}

/** Sends a start, then a chunk repeatedly, as fast as the client reads it. */
export function flood(start: Bytes, chunk: Bytes, times = Number.POSITIVE_INFINITY): Misbehave {
  return (socket) => {
    const again = Buffer.from(chunk)
    socket.write(start, 'latin1')
    pour(socket, again, times)
  }
}

/** Sends a start, then one byte at intervals. */
export function drip(start: string, byte: string, everyMs = 1_000): Misbehave {
  return (socket) => {
    socket.write(start, 'latin1')
    const timer = setInterval(() => socket.write(byte, 'latin1'), everyMs).unref()
    socket.once('close', () => clearInterval(timer))
  }
}

/** Writes until the socket is full, and continues when there is space. */
function pour(socket: Socket, chunk: Buffer, times: number): void {
  let left = times
  const more = () => {
    let hasRoom = true
    while (hasRoom && left > 0 && !socket.destroyed) {
      left--
      hasRoom = socket.write(chunk)
    }
    if (left === 0) socket.off('drain', more).end()
  }
  socket.on('drain', more)
  more()
}
