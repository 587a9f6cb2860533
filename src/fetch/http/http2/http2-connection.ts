import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { connectionReset } from '../network-failure.ts'
import { NO_ERROR, REFUSED_STREAM } from './failures.ts'
import { Traffic } from './traffic.ts'

/** Maximum milliseconds for which a server may allow no stream. It should be a short time (RFC 9113, 6.5.2). */
const MAX_UNSERVED_MS = 1_000

/** Listeners for a connection and its streams. */
interface ConnectionListeners {
  /** Called with each opened stream, before any other listener. */
  readonly onOpen: (stream: ClientHttp2Stream) => void
  /** Called whenever a stream has ended. */
  readonly onEnd: () => void
  /** Called with the number of bytes whenever the connection has read some. */
  readonly onRead: ((bytes: number) => void) | undefined
  /** Called when the server has allowed no stream for too long. */
  readonly onUnserved: () => void
}

/**
 * A connection of HTTP/2. It changes the behavior of a session of undici that has no streams yet:
 *
 * - It closes the connection if it receives much more data than bodies.
 * - It closes the connection if it received nothing from the start of a stream to its end, such as at a time-out. The
 *   connection may be dead.
 * - If the connection ends while reading is paused, a response that was received completely still succeeds. undici
 *   would fail it.
 * - It reports the end of the connection a little later, after the responses that arrived before.
 * - It ignores trailers. undici would drop the data that was received before them and not read yet.
 */
export class Http2Connection {
  #hasSettings = false
  #goaway: number | undefined
  /** The last stream that the server may still process. */
  #last = Number.POSITIVE_INFINITY

  constructor(session: ClientHttp2Session, socket: Socket, listeners: ConnectionListeners) {
    this.#followSettings(session, listeners)
    session.on('goaway', (code, last) => {
      this.#goaway = code
      this.#last = last
    })
    watchStreams(session, socket, listeners)
  }

  /** True once the server has sent its settings, as it must do first. */
  get hasSettings(): boolean {
    return this.#hasSettings
  }

  /** The error code of the server's GOAWAY; undefined before it has sent one. */
  get goaway(): number | undefined {
    return this.#goaway
  }

  /** Returns whether the server certainly did not process a stream (RFC 9113, 6.8). */
  refuses({ id }: ClientHttp2Stream): boolean {
    return this.#goaway !== undefined && (id === undefined || id > this.#last)
  }

  #followSettings(session: ClientHttp2Session, { onUnserved }: ConnectionListeners): void {
    let timer: NodeJS.Timeout | undefined
    // After a GOAWAY, the client of this connection sends its requests on another one.
    const endUnserved = () => this.#goaway === undefined && onUnserved()
    session.on('remoteSettings', ({ maxConcurrentStreams }) => {
      clearTimeout(timer)
      if (maxConcurrentStreams === 0) timer = setTimeout(endUnserved, MAX_UNSERVED_MS).unref()
      this.#hasSettings = true
    })
    session.once('close', () => clearTimeout(timer))
  }
}

function watchStreams(
  session: ClientHttp2Session,
  socket: Socket,
  { onOpen, onEnd, onRead }: ConnectionListeners,
): void {
  const { request } = session
  const traffic = new Traffic(session, socket, onRead)
  const readAllWhole = () => {
    for (const stream of traffic.streams) readWhole(stream)
  }
  reportEndLater(socket)
  socket.prependListener('end', readAllWhole).prependListener('error', readAllWhole)
  session.request = (...args) => {
    const stream = request.apply(session, args)
    const before = socket.bytesRead
    onOpen(stream)
    traffic.begin(stream)
    stream.once('response', () => stream.removeAllListeners('trailers'))
    stream.on('close', () => {
      traffic.end(stream)
      onEnd()
      // A GOAWAY refuses streams before its bytes are counted.
      const isRefused = stream.rstCode === REFUSED_STREAM
      if (socket.bytesRead === before && !isRefused) endSilent(session)
    })
    return stream
  }
}

/**
 * Delays the event that ends a connection until Node has passed on what it received before. While it writes, Node before
 * version 26 leaves received frames for later, and undici would drop them.
 */
function reportEndLater(socket: Socket): void {
  const { emit } = socket
  socket.emit = (name: string | symbol, ...values: unknown[]) => {
    if (name !== 'end') return Reflect.apply(emit, socket, [name, ...values])
    setImmediate(() => Reflect.apply(emit, socket, [name]))
    return true
  }
}

/** Reads the rest of a response if it was received completely. */
function readWhole(stream: ClientHttp2Stream): void {
  if (!stream.closed || stream.rstCode !== NO_ERROR || stream.destroyed) return
  while (stream.read() !== null);
  // undici waits only for this event.
  stream.emit('end')
}

/** Ends a connection that received nothing from the start of a stream to its end. */
function endSilent(session: ClientHttp2Session): void {
  if (session.destroyed) return
  session.destroy(connectionReset('the connection went silent'))
}
