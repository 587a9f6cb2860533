import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { FetchFailure } from '../../fetch-failure.ts'
import { exceedsOverhead } from '../overhead.ts'

/** Milliseconds between two looks at what a connection has received. */
const CHECK_MS = 250
/** Bytes that each response may have in its header, and around it, beside the bodies. */
const HEADER_BYTES = 64 * 1_024

/**
 * Counts what a connection receives while streams are open, and ends it if that is much more than bodies. Node reads
 * frames of some types as fast as they come, such as ORIGIN, without a word.
 */
export class Traffic {
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

  /** @param onRead called with the number of bytes whenever the connection has read some */
  constructor(
    session: ClientHttp2Session,
    socket: Socket,
    onRead: ((bytes: number) => void) | undefined,
  ) {
    this.#session = session
    this.#socket = socket
    this.#onRead = onRead
  }

  /** The streams that are open. */
  get streams(): Iterable<ClientHttp2Stream> {
    return this.#streams
  }

  /** Counts a stream, until `end` is called. */
  begin(stream: ClientHttp2Stream): void {
    if (this.#streams.size === 0) this.#start()
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
    if (this.#streams.size === 0) clearInterval(this.#timer)
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
