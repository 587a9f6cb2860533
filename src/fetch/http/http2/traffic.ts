import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { FetchFailure } from '../../fetch-failure.ts'
import { exceedsOverhead } from '../overhead.ts'

/** Milliseconds between two checks of the bytes that a connection has received. */
const CHECK_MS = 250
/** Bytes that each response may have in its header and its framing, in addition to its body. */
const HEADER_BYTES = 64 * 1_024

/**
 * Counts the bytes that a connection receives, and closes it if they are much more than the bodies, even while no stream
 * is open. Node reads frames of some types, such as ORIGIN, as fast as they arrive, and reports them nowhere.
 */
export class Traffic {
  readonly #session: ClientHttp2Session
  readonly #socket: Socket
  readonly #onRead: ((bytes: number) => void) | undefined
  readonly #streams = new Set<ClientHttp2Stream>()
  #body = 0
  /** Number of streams that were opened since the connection last had none. */
  #begun = 0
  /** The socket's `bytesRead` when it was last reported, and when the connection last began or ceased to be idle. */
  #counted = 0
  #bytesBefore = 0

  /** @param onRead called with the number of bytes whenever the connection has read some */
  constructor(
    session: ClientHttp2Session,
    socket: Socket,
    onRead: ((bytes: number) => void) | undefined,
  ) {
    this.#session = session
    this.#socket = socket
    this.#onRead = onRead
    const timer = setInterval(() => this.#check(), CHECK_MS).unref()
    session.once('close', () => clearInterval(timer))
  }

  /** The open streams. */
  get streams(): Iterable<ClientHttp2Stream> {
    return this.#streams
  }

  /** Counts a stream, until `end` is called. */
  begin(stream: ClientHttp2Stream): void {
    if (this.#streams.size === 0) this.#restart()
    this.#streams.add(stream)
    this.#begun++
    const count = (bytes: Buffer) => {
      this.#body += bytes.length
      if (this.#onRead !== undefined) this.#count(this.#onRead)
    }
    // Before Node 26, data may arrive before the event `response`, at which undici begins to listen. A listener for data
    // would take it away.
    stream.once('response', () => stream.on('data', count))
  }

  end(stream: ClientHttp2Stream): void {
    if (this.#onRead !== undefined) this.#count(this.#onRead)
    this.#streams.delete(stream)
    if (this.#streams.size === 0) this.#restart()
  }

  #restart(): void {
    this.#body = this.#begun = 0
    this.#bytesBefore = this.#socket.bytesRead
  }

  #count(onRead: (bytes: number) => void): void {
    const { bytesRead } = this.#socket
    onRead(bytesRead - this.#counted)
    this.#counted = bytesRead
  }

  #check(): void {
    const received = this.#socket.bytesRead - this.#bytesBefore
    let body = this.#body
    // Bytes that are buffered while reading is paused count, too.
    for (const { readableLength } of this.#streams) body += readableLength
    if (!exceedsOverhead(received - HEADER_BYTES * this.#begun, body)) return
    const message = 'the responses have far more overhead than content'
    // The failure is transient, since another response on the connection may have caused it.
    this.#session.destroy(new FetchFailure('invalid-response', message, 'transient'))
  }
}
