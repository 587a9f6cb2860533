import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { CrawlerError, codeOf } from '../errors.ts'
import type { Positions } from '../state/ledger.ts'
import type { OutputEvents, Sink } from './output.ts'
import { outputError } from './output-error.ts'

/** Number of characters that are written at once. Fewer wait for further ones, which saves system calls. */
const MAX_PENDING_CHARACTERS = 64 * 1024
/** Longest wait in milliseconds. Nobody notices it. A write for every few pages costs 4 % of the main thread's time. */
const MAX_DELAY_MS = 40

/** Writes text to a stream: stdout or a file. */
export class StreamOutput implements Sink {
  readonly #stream: Writable
  readonly #name: string
  readonly #endsStream: boolean
  #state: 'sound' | 'closed-by-reader' | CrawlerError = 'sound'
  #events: OutputEvents | undefined
  #pending = ''
  #timer: NodeJS.Timeout | undefined

  /**
   * @param name for messages
   * @param endsStream true to end the stream in `close`; false for stdout
   */
  constructor(stream: Writable, name: string, endsStream: boolean) {
    this.#stream = stream
    this.#name = name
    this.#endsStream = endsStream
  }

  /** True if the destination has no content before the texts that are written. */
  get isEmpty(): boolean {
    return true
  }

  /** True if resuming truncates the file to its durable part. */
  get isCutBackOnResume(): boolean {
    return false
  }

  get congested(): boolean {
    return this.#stream.writableNeedDrain && this.#state === 'sound'
  }

  open(events: OutputEvents): void {
    this.#events = events
    this.#stream.on('drain', () => events.drained())
    this.#stream.on('error', (error) => this.#fail(error))
  }

  write(texts: readonly string[]): void {
    if (this.#state !== 'sound') return
    this.#pending += texts.join('')
    if (this.#pending.length >= MAX_PENDING_CHARACTERS) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), MAX_DELAY_MS)
  }

  writeBytes(bytes: Uint8Array): void {
    this.#flush()
    if (this.#state === 'sound') this.#stream.write(bytes)
  }

  /** @throws CrawlerError('output') if a text could not be written, or the reader has gone */
  async sync(): Promise<Positions> {
    if (this.#state === 'sound') await this.flushed()
    // The `error` event may come only when the file is closed.
    if (this.#stream.errored) this.#fail(this.#stream.errored)
    if (this.#state instanceof CrawlerError) throw this.#state
    if (this.#state === 'closed-by-reader') throw outputError(this.#name, 'its reader has gone')
    return {}
  }

  /** Resolves when all texts are written, or writing has failed. */
  protected flushed(): Promise<void> {
    this.#flush()
    return new Promise((resolve) =>
      this.#stream.write('', (error) => {
        // A stream that has failed before reports only that it takes no more.
        if (error) this.#fail(this.#stream.errored ?? error)
        setImmediate(resolve)
      }),
    )
  }

  async close(): Promise<void> {
    if (this.#state === 'sound') await this.#end()
    // At the very end, no event can report a failure any more: the crawl has finished.
    if (this.#state instanceof CrawlerError) throw this.#state
  }

  #fail(error: NodeJS.ErrnoException): void {
    if (this.#state !== 'sound') return
    this.#state = isReaderGone(error) ? 'closed-by-reader' : outputError(this.#name, error)
    if (this.#state === 'closed-by-reader') this.#events?.closed()
    else this.#events?.failed(this.#state)
  }

  /** Passes the buffered text to the stream. */
  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const pending = this.#pending
    this.#pending = ''
    if (pending !== '' && this.#state === 'sound') this.#stream.write(pending)
  }

  /** Ends the stream or flushes it. Errors are reported by the `error` event. */
  async #end(): Promise<void> {
    if (this.#endsStream) {
      this.#flush()
      this.#stream.end()
      await finished(this.#stream).catch(() => {})
    } else {
      await this.flushed()
    }
  }
}

/** Returns whether the reader of a stream has closed it. */
export function isReaderGone(error: unknown): boolean {
  // `spawn` provides a socket as stdout, which is reset if its reader closes it with unread data in it. On Windows, a
  // pipe without a reader is at its end.
  return ['EPIPE', 'ECONNRESET', 'EOF'].includes(codeOf(error))
}
