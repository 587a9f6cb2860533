import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { FetchFailure } from '../../fetch-failure.ts'
import { exceedsOverhead } from '../overhead.ts'
import { isBroken } from './failures.ts'

/** Milliseconds between two looks at what a connection has received. */
const CHECK_MS = 250
/** Bytes that each response may have in its header, and around it, beside the bodies. */
const HEADER_BYTES = 64 * 1_024
/** The server was well, but did not take the request (RFC 9113, 7). */
const REFUSED_STREAM = 7
const NO_ERROR = 0

/** Listeners for the responses of a connection. */
export interface ResponseWatch {
  /** Called whenever a response has been read. */
  readonly served: () => void
  /** Called with the number of bytes whenever the connection has read some. */
  readonly onRead: ((bytes: number) => void) | undefined
  /** Called when what the server sends as HTTP/2 can't be read. */
  readonly onBroken: (error: Error) => void
}

/**
 * Changes how undici reads responses of HTTP/2, for a session without streams, and notices HTTP/2 that is broken:
 *
 * - A body that the server resets is not whole. undici takes it for whole when it has no length.
 * - A connection that receives much more than bodies is ended. Node reads frames of some types as fast as they come,
 *   such as ORIGIN, without a word.
 * - A connection from which nothing has come while a request ran into its time limit is ended: it may be dead.
 * - A response that has come while its reading was paused is whole when the connection ends. undici would give it up.
 */
export function watchSession(
  session: ClientHttp2Session,
  socket: Socket,
  { served, onRead, onBroken }: ResponseWatch,
): void {
  const { request } = session
  const traffic = new Traffic(session, socket, onRead)
  let hasSettings = false
  session.once('remoteSettings', () => {
    hasSettings = true
  })
  session.on('goaway', (code) => {
    if (code !== NO_ERROR && traffic.isBusy) onBroken(wentAway(code))
  })
  for (const event of ['end', 'error']) socket.prependListener(event, () => traffic.readWhole())
  session.request = (...args) => {
    const stream = request.apply(session, args)
    const before = socket.bytesRead
    traffic.begin(stream)
    // undici listens next. It takes the end of what was read for the end of the body, and may report another error.
    stream.on('end', () => reportReset(stream))
    stream.on('error', (error) => {
      if (stream.rstCode !== REFUSED_STREAM && isBroken(error)) onBroken(error)
    })
    stream.on('close', () => {
      if (!hasSettings) onBroken(endedEarly())
      traffic.end(stream)
      served()
      if (socket.bytesRead === before) endSilent(session)
    })
    return stream
  }
}

function wentAway(code: number): FetchFailure {
  const message = `the server ended the connection of HTTP/2 with error ${code}`
  return new FetchFailure('connection-reset', message, true)
}

function endedEarly(): FetchFailure {
  const message = 'the connection ended before the server sent any HTTP/2'
  return new FetchFailure('connection-reset', message, true)
}

/** Reads a response that has come to its end. */
function readWhole(stream: ClientHttp2Stream): void {
  if (!stream.closed || stream.rstCode !== NO_ERROR || stream.destroyed) return
  while (stream.read() !== null);
  // undici waits for nothing else.
  stream.emit('end')
}

function reportReset(stream: ClientHttp2Stream): void {
  if (!stream.aborted && !stream.rstCode) return
  const message = `the server reset the stream before the end of the body (${stream.rstCode})`
  stream.emit('error', new FetchFailure('connection-reset', message, true))
}

/** Ends a connection that has brought nothing from the beginning of a stream to its end. */
function endSilent(session: ClientHttp2Session): void {
  if (session.destroyed) return
  const message = 'the connection went silent'
  session.destroy(new FetchFailure('connection-reset', message, true))
}

/** Counts what a connection receives while streams are open. */
class Traffic {
  readonly #session: ClientHttp2Session
  readonly #socket: Socket
  readonly #onRead: ((bytes: number) => void) | undefined
  readonly #streams = new Set<ClientHttp2Stream>()
  #body = 0
  /** Number of streams that were opened since the first of the open ones. */
  #begun = 0
  /** Bytes that had been read when they were counted last, and when the first of the open streams began. */
  #counted = 0
  #bytesBefore = 0
  #timer: NodeJS.Timeout | undefined

  constructor(
    session: ClientHttp2Session,
    socket: Socket,
    onRead: ((bytes: number) => void) | undefined,
  ) {
    this.#session = session
    this.#socket = socket
    this.#onRead = onRead
  }

  /** True while streams are open. */
  get isBusy(): boolean {
    return this.#streams.size > 0
  }

  /** Counts a stream, until `end` is called. */
  begin(stream: ClientHttp2Stream): void {
    if (!this.isBusy) this.#start()
    this.#streams.add(stream)
    this.#begun++
    stream.on('data', (bytes: Buffer) => {
      this.#body += bytes.length
      if (this.#onRead !== undefined) this.#count(this.#onRead)
    })
  }

  end(stream: ClientHttp2Stream): void {
    if (this.#onRead !== undefined) this.#count(this.#onRead)
    this.#streams.delete(stream)
    if (!this.isBusy) clearInterval(this.#timer)
  }

  /** Reads the responses that have come to their end. */
  readWhole(): void {
    for (const stream of this.#streams) readWhole(stream)
  }

  #start(): void {
    this.#body = this.#begun = 0
    this.#bytesBefore = this.#socket.bytesRead
    this.#timer = setInterval(() => this.#check(), CHECK_MS).unref()
  }

  #count(onRead: (bytes: number) => void): void {
    const { bytesRead } = this.#socket
    onRead(bytesRead - this.#counted)
    this.#counted = bytesRead
  }

  #check(): void {
    const received = this.#socket.bytesRead - this.#bytesBefore
    let body = this.#body
    // Of streams whose reading is paused.
    for (const { readableLength } of this.#streams) body += readableLength
    if (!exceedsOverhead(received - HEADER_BYTES * this.#begun, body)) return
    const message = 'the responses have far more overhead than content'
    // Other responses than the one that waits may be at fault.
    this.#session.destroy(new FetchFailure('invalid-response', message, true))
  }
}
