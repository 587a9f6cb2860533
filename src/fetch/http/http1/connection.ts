import type { Socket } from 'node:net'
import { messageOf } from '../../../errors.ts'
import type { ResponseControl, ResponseListener, TransportRequest } from '../connection-pool.ts'
import type { KeptConnection } from '../connections/kept-connections.ts'
import { readFrom } from '../connections/shared-read-buffer.ts'
import { StaleConnectionError } from '../connections/stale-connection.ts'
import { failRequest } from '../fail-request.ts'
import { cutShort } from '../network-failure.ts'
import { DEFAULT_KEPT_MS } from './keep-alive.ts'
import { fieldsOf, type ParsedHead } from './response-head.ts'
import { type ResponseParts, ResponseReader } from './response-reader.ts'

const REQUEST_TIMEOUT = 408

/** Events of a connection, for its pool. */
interface ConnectionEvents {
  /** Called with the number of bytes of each read. */
  readonly onRead: ((bytes: number) => void) | undefined
  /** Called when a response has been read and the connection is kept alive. */
  onServed(connection: Connection): void
  onClose(connection: Connection): void
}

/** A request in the form in which it is sent. */
export interface SentRequest {
  readonly method: TransportRequest['method']
  /** The whole request, one character per byte. */
  readonly text: string
  /** True if its connection serves no other request afterwards. */
  readonly isFresh: boolean
  readonly listener: ResponseListener
}

/**
 * A connection of HTTP/1.1 to a server, for one request at a time. Received bytes are parsed at once, without a stream.
 *
 * - If the connection has served a request, and fails before the response to the next request begins, that request
 *   fails with `StaleConnectionError`: it may be sent once more.
 * - An error that a listener throws fails its request, and closes the connection.
 * - While reading is paused, the listener still gets the rest of the last read, but no further reads.
 */
export class Connection implements KeptConnection, ResponseControl, ResponseParts {
  readonly isHttp2 = false
  readonly #socket: Socket
  readonly #events: ConnectionEvents
  readonly #reader = new ResponseReader(this)
  #listener: ResponseListener | undefined
  #head: ParsedHead | undefined
  #hasServed = false
  #isLast = false
  #isPaused = false
  #isReading = false
  /** Bytes that were received while reading was paused. */
  #held: Buffer[] = []
  #idleUntil = performance.now() + DEFAULT_KEPT_MS

  constructor(socket: Socket, events: ConnectionEvents) {
    this.#socket = socket
    this.#events = events
    readFrom(socket, (bytes) => this.#receive(bytes))
    socket.on('end', () => this.#finish())
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#closed())
  }

  get isIdle(): boolean {
    return this.#listener === undefined
  }

  get idleUntil(): number {
    return this.#idleUntil
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  get paused(): boolean {
    return this.#isPaused
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress
  }

  get rawHeaders(): readonly string[] {
    return this.#head === undefined ? [] : fieldsOf(this.#head)
  }

  /** Sends a request; the connection must be open and idle. */
  send({ method, text, isFresh, listener }: SentRequest): void {
    this.#listener = listener
    this.#isLast ||= isFresh
    this.#reader.begin(method === 'HEAD')
    try {
      listener.onRequestStart(this)
    } catch (error) {
      this.end(error)
    }
    if (this.isOpen) this.#socket.write(text, 'latin1')
  }

  pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#readHeld()
    if (!this.#isPaused) this.#socket.resume()
  }

  abort(): void {
    this.#listener = undefined
    this.close()
  }

  close(): void {
    this.#reader.stop()
    this.#held = []
    this.#socket.destroy()
  }

  closeOnceIdle(): void {
    this.#isLast = true
    if (this.isIdle) this.close()
  }

  /** Closes the connection, and fails its request. */
  end(error: unknown): void {
    const listener = this.#listener
    this.#listener = undefined
    this.close()
    if (listener !== undefined) failRequest(listener, error)
  }

  onHead(head: ParsedHead): void {
    const { status, headers, reason } = head
    const isFirst = this.#head === undefined
    // The server sent this when the idle connection timed out. It is not the response to the request sent meanwhile.
    if (status === REQUEST_TIMEOUT && this.#hasServed && isFirst) {
      this.end(new StaleConnectionError('the server had given the connection up'))
      return
    }
    this.#head = head
    try {
      this.#listener?.onResponseStart(this, status, headers, reason)
    } catch (error) {
      this.end(error)
    }
  }

  onBody(bytes: Buffer): void {
    try {
      this.#listener?.onResponseData(this, bytes)
    } catch (error) {
      this.end(error)
    }
  }

  onEnd(): void {
    const listener = this.#listener
    const keptMs = this.#isLast ? 0 : (this.#head?.keepAliveMs ?? 0)
    this.#listener = this.#head = undefined
    this.#hasServed = true
    if (this.#isPaused) this.#readOn()
    try {
      listener?.onResponseEnd()
    } catch (error) {
      this.close()
      if (listener !== undefined) failRequest(listener, error)
    }
    if (keptMs <= 0) this.close()
    else if (this.isOpen) {
      this.#idleUntil = performance.now() + keptMs
      this.#events.onServed(this)
    }
  }

  /** Ends a pause that the listener has not ended. Held bytes belong to no response, so the connection is closed. */
  #readOn(): void {
    if (this.#held.length > 0) this.close()
    this.#isPaused = false
    this.#socket.resume()
  }

  #receive(bytes: Buffer): void {
    this.#events.onRead?.(bytes.length)
    // TLS may have decrypted more data before the pause. It is copied, since the next read overwrites it.
    if (this.#isPaused) this.#held.push(Buffer.from(bytes))
    else this.#read(bytes)
  }

  #readHeld(): void {
    // If the listener resumes while it processes bytes, it gets the rest of those bytes first.
    if (this.#isReading) return
    while (!this.#isPaused) {
      const bytes = this.#held.shift()
      if (bytes === undefined) return
      this.#read(bytes)
    }
  }

  #read(bytes: Buffer): void {
    this.#isReading = true
    try {
      this.#reader.read(bytes)
    } catch (error) {
      this.#fail(error)
    }
    this.#isReading = false
  }

  /**
   * Handles the end of the server's data, which may be the end of a body. Held bytes are read before, even during a
   * pause.
   */
  #finish(): void {
    for (const bytes of this.#held.splice(0)) this.#read(bytes)
    if (!this.#reader.end()) this.#fail(cutShort(this.#head?.status))
  }

  #closed(): void {
    this.#events.onClose(this)
    if (this.#listener !== undefined) this.#fail(cutShort(this.#head?.status))
  }

  #fail(error: unknown): void {
    const isStale = this.#hasServed && this.#head === undefined
    this.end(isStale ? new StaleConnectionError(messageOf(error)) : error)
  }
}
