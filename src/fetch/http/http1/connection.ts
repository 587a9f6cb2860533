import type { Socket } from 'node:net'
import { messageOf } from '../../../errors.ts'
import { FetchFailure } from '../../fetch-failure.ts'
import type { KeptConnection } from '../connections/kept-connections.ts'
import { readFrom } from '../connections/shared-read-buffer.ts'
import { StaleConnection } from '../connections/stale-connection.ts'
import type { ResponseControl, ResponseListener, TransportRequest } from '../exchange.ts'
import { fieldsOf, type ParsedHead } from './response-head.ts'
import { type ResponseParts, ResponseReader } from './response-reader.ts'

const REQUEST_TIMEOUT = 408

/** What happens to a connection, for the pool that it belongs to. */
interface ConnectionEvents {
  /** Called with the number of bytes of each read. */
  readonly onRead: ((bytes: number) => void) | undefined
  /** A response has been read, and the connection is kept. */
  onServed(connection: Connection): void
  onClose(connection: Connection): void
}

/** A request as it is sent. */
interface SentRequest {
  readonly method: TransportRequest['method']
  /** All of it; each character stands for a byte. */
  readonly text: string
  readonly listener: ResponseListener
}

/**
 * A connection of HTTP/1.1 to a server, for one request at a time. What it reads is parsed at once, without a stream.
 *
 * If it has served a request, and fails before the response to the next one begins, that request fails with
 * `StaleConnection`: it may be sent once more.
 */
export class Connection implements KeptConnection, ResponseControl, ResponseParts {
  readonly #socket: Socket
  readonly #events: ConnectionEvents
  readonly #reader = new ResponseReader(this)
  #listener: ResponseListener | undefined
  #head: ParsedHead | undefined
  #hasServed = false
  #isLast = false
  #isPaused = false
  /** What came while reading was paused. */
  #held: Buffer[] = []
  #idleUntil = 0

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

  /** Names and values in turns. */
  get rawHeaders(): readonly string[] {
    return this.#head === undefined ? [] : fieldsOf(this.#head)
  }

  /** Sends a request; the connection must be idle. */
  send({ method, text, listener }: SentRequest): void {
    this.#listener = listener
    if (this.#isPaused) this.resume()
    this.#reader.begin(method === 'HEAD')
    listener.onRequestStart(this)
    this.#socket.write(text, 'latin1')
  }

  pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  resume(): void {
    this.#isPaused = false
    while (this.#held.length > 0 && !this.#isPaused) this.#read(this.#held.shift())
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
    listener?.fail(error)
  }

  onHead(head: ParsedHead): void {
    const { status, headers, reason } = head
    const isFirst = this.#head === undefined
    // Sent when the server had waited long enough, and read as the response to what was sent meanwhile.
    if (status === REQUEST_TIMEOUT && this.#hasServed && isFirst) {
      this.end(new StaleConnection('the server had given the connection up'))
      return
    }
    this.#head = head
    this.#listener?.onResponseStart(this, status, headers, reason)
  }

  onBody(bytes: Buffer): void {
    this.#listener?.onResponseData(this, bytes)
  }

  onEnd(): void {
    const listener = this.#listener
    const keptMs = this.#isLast ? 0 : (this.#head?.keepAliveMs ?? 0)
    this.#listener = this.#head = undefined
    this.#hasServed = true
    listener?.onResponseEnd()
    if (keptMs <= 0) this.close()
    else if (this.isOpen) {
      this.#idleUntil = performance.now() + keptMs
      this.#events.onServed(this)
    }
  }

  #receive(bytes: Buffer): void {
    this.#events.onRead?.(bytes.length)
    // TLS may have decrypted more than was asked for; the next read overwrites the bytes.
    if (this.#isPaused) this.#held.push(Buffer.from(bytes))
    else this.#read(bytes)
  }

  #read(bytes: Buffer | undefined): void {
    if (bytes === undefined) return
    try {
      this.#reader.read(bytes)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** The server sends nothing more: that may be the end of a body. */
  #finish(): void {
    try {
      if (!this.#reader.end()) this.#fail(cutShort())
    } catch (error) {
      this.#fail(error)
    }
  }

  #closed(): void {
    if (this.#listener !== undefined) this.#fail(cutShort())
    this.#events.onClose(this)
  }

  #fail(error: unknown): void {
    const isStale = this.#hasServed && this.#head === undefined
    this.end(isStale ? new StaleConnection(messageOf(error)) : error)
  }
}

function cutShort(): FetchFailure {
  const message = 'the connection was closed before the end of the body'
  return new FetchFailure('connection-reset', message, true)
}
