import type { Socket } from 'node:net'
import type { Misbehave } from './behaviour.ts'

type Bytes = Buffer | string

/** Time for a client on a busy machine to read what was sent. */
const READ_MS = 1_500
const PAGE = 'Content-Type: text/html\r\n'

/** Bytes, and nothing after them; the connection stays open. */
export function bytes(text: Bytes): Misbehave {
  return (socket) => void socket.write(text, 'latin1')
}

/** Bytes, then the end of the connection. */
export function bytesAndEnd(text: Bytes): Misbehave {
  return (socket) => void socket.end(text, 'latin1')
}

/** Bytes, then a reset: one that comes before they are read takes them along. */
export function bytesAndReset(text: string): Misbehave {
  return (socket) => {
    if (text === '') socket.resetAndDestroy()
    else socket.write(text, 'latin1', () => setTimeout(() => socket.resetAndDestroy(), READ_MS))
  }
}

/** The start of an answer with a page, and further header lines. */
export function head(lines = '', status = '200 OK'): string {
  return `HTTP/1.1 ${status}\r\n${PAGE}${lines}\r\n`
}

/** An answer that keeps to all rules, but for what its header lines or its body say. */
export function page(body: Bytes, lines = ''): Buffer {
  const rest = Buffer.from(body)
  const start = head(`Content-Length: ${rest.length}\r\n${lines}`)
  return Buffer.concat([Buffer.from(start, 'latin1'), rest])
}

/** A redirect with this Location. */
export function redirect(location: string): string {
  return `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`
}

/** A start, then a chunk again and again, as fast as the other side takes it. */
export function flood(start: Bytes, chunk: Bytes, times = Number.POSITIVE_INFINITY): Misbehave {
  return (socket) => {
    const again = Buffer.from(chunk)
    socket.write(start, 'latin1')
    pour(socket, again, times)
  }
}

/** A start, then a byte now and then. */
export function drip(start: string, byte: string, everyMs = 1_000): Misbehave {
  return (socket) => {
    socket.write(start, 'latin1')
    const timer = setInterval(() => socket.write(byte, 'latin1'), everyMs).unref()
    socket.once('close', () => clearInterval(timer))
  }
}

/** Writes until the socket is full, and goes on when there is room. */
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
