import { CARRIAGE_RETURN, LINE_FEED } from '../../../encoding/ascii.ts'
import type { FetchFailure } from '../../fetch-failure.ts'
import { headerTooLarge, invalidResponse } from '../network-failure.ts'
import { ChunkedBody } from './chunked-body.ts'
import { NO_HTTP, type ParsedHead, parseResponseHead } from './response-head.ts'

/** Maximum bytes of a status line and a header. */
const MAX_HEAD = 64 * 1_024
/** Maximum bytes of line ends before a status line or after a body. */
const MAX_LINE_ENDS = 1_024
const EMPTY_LINE = Buffer.from('\r\n\r\n')
/** The end of a head, whose lines may end with LF only. */
const END = /\n\r?\n/
const BEGINNING = Buffer.from('HTTP/1.')
const NO_BYTES = Buffer.alloc(0)

/** Receives the parts of responses as they are read. */
export interface ResponseParts {
  /** Also called for interim responses (1xx), which have only a head. */
  onHead(head: ParsedHead): void
  /** @param bytes a part of the body; the next read overwrites it */
  onBody(bytes: Buffer): void
  onEnd(): void
}

/** The part of a response that the next byte belongs to. No bytes are expected `between` responses. */
type ReadPart = 'between' | 'head' | 'counted' | 'chunks' | 'rest' | 'ignored'

/** Reads the responses of one connection of HTTP/1, one after another (RFC 9112). */
export class ResponseReader {
  readonly #parts: ResponseParts
  #part: ReadPart = 'between'
  #isHead = false
  /** A buffer for a head that arrives in several reads, and the number of its bytes that are filled. */
  #begun: Buffer = NO_BYTES
  #begunLength = 0
  /** Number of bytes of line ends that were skipped since the last body, or before the head. */
  #lineEnds = 0
  /** Number of bytes of the body that are still to come. */
  #left = 0
  #chunks: ChunkedBody | undefined

  constructor(parts: ResponseParts) {
    this.#parts = parts
  }

  /** Prepares for a response. @param isHead true for a response to HEAD */
  begin(isHead: boolean): void {
    this.#part = 'head'
    this.#isHead = isHead
    this.#begunLength = this.#lineEnds = 0
  }

  /** Ignores all further bytes. */
  stop(): void {
    this.#part = 'ignored'
  }

  /**
   * Reads bytes that the connection has received.
   * @throws FetchFailure if they are not a valid response, or one that was not requested
   */
  read(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length) at = this.#readPart(bytes, at)
  }

  /**
   * Notes that the server has closed the connection. Returns true if that ends the response.
   */
  end(): boolean {
    if (this.#part !== 'rest') return false
    this.#finish()
    return true
  }

  #readPart(bytes: Buffer, at: number): number {
    switch (this.#part) {
      case 'between':
        if (this.#passLineEnds(bytes, at) < bytes.length) throw unrequested()
        return bytes.length
      case 'head':
        return this.#readHead(bytes, at)
      case 'counted':
        return this.#readCounted(bytes, at)
      case 'chunks':
        return this.#readChunks(bytes, at)
      case 'rest':
        this.#parts.onBody(bytes.subarray(at))
        return bytes.length
      case 'ignored':
        return bytes.length
    }
  }

  #readHead(bytes: Buffer, at: number): number {
    if (this.#begunLength > 0) return this.#readFurther(bytes, at)
    // Some servers send an empty line after the previous body (RFC 9112, 2.2).
    const start = this.#passLineEnds(bytes, at)
    if (start === bytes.length) return start
    checkBeginning(bytes, start, bytes.length)
    const strictEnd = bytes.indexOf(EMPTY_LINE, start)
    const limit = strictEnd < 0 ? bytes.length : strictEnd + EMPTY_LINE.length
    const text = bytes.toString('latin1', start, limit)
    const end = END.exec(text)
    if (end === null) {
      this.#keepHead(bytes, start)
      return bytes.length
    }
    this.#take(text.slice(0, end.index))
    return start + end.index + end[0].length
  }

  /** Reads more of a head whose first bytes were received before. */
  #readFurther(bytes: Buffer, at: number): number {
    const before = this.#begunLength
    this.#keepHead(bytes, at)
    // The empty line may begin in the bytes received before.
    const from = Math.max(0, before - EMPTY_LINE.length)
    const found = END.exec(this.#begun.toString('latin1', from, this.#begunLength))
    if (found === null) return bytes.length
    const end = from + found.index
    const text = this.#begun.toString('latin1', 0, end)
    this.#begunLength = 0
    this.#begun = NO_BYTES
    this.#take(text)
    return at + end + found[0].length - before
  }

  #keepHead(bytes: Buffer, at: number): void {
    const length = this.#begunLength + bytes.length - at
    if (length > this.#begun.length) {
      const larger = Buffer.allocUnsafeSlow(2 * length)
      larger.set(this.#begun.subarray(0, this.#begunLength))
      this.#begun = larger
    }
    bytes.copy(this.#begun, this.#begunLength, at)
    this.#begunLength = length
    checkBeginning(this.#begun, 0, length)
    if (length <= MAX_HEAD + EMPTY_LINE.length) return
    if (!END.test(this.#begun.toString('latin1', 0, length))) throw tooLarge()
  }

  /** @param text the head up to the line feed of its last line */
  #take(text: string): void {
    const lines = text.endsWith('\r') ? text.slice(0, -1) : text
    if (lines.length > MAX_HEAD) throw tooLarge()
    const head = parseResponseHead(lines, this.#isHead)
    const { status, bodyEnd } = head
    if (status >= 200) this.#beginBody(bodyEnd)
    this.#parts.onHead(head)
    if (status >= 200 && bodyEnd === 0 && this.#part === 'counted') this.#finish()
  }

  #beginBody(end: ParsedHead['bodyEnd']): void {
    if (typeof end === 'number') {
      this.#part = 'counted'
      this.#left = end
    } else if (end === 'last-chunk') {
      this.#part = 'chunks'
      this.#chunks = new ChunkedBody((bytes) => this.#parts.onBody(bytes))
    } else this.#part = 'rest'
  }

  #readCounted(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left)
    this.#left -= end - at
    this.#parts.onBody(bytes.subarray(at, end))
    if (this.#left === 0 && this.#part === 'counted') this.#finish()
    return end
  }

  #readChunks(bytes: Buffer, at: number): number {
    const chunks = this.#chunks
    const end = chunks?.read(bytes, at) ?? bytes.length
    if (chunks?.isDone && this.#part === 'chunks') this.#finish()
    return end
  }

  /** Skips line ends, which some servers send after a body. Returns the index after them. */
  #passLineEnds(bytes: Buffer, from: number): number {
    let at = from
    while (at < bytes.length && (bytes[at] === CARRIAGE_RETURN || bytes[at] === LINE_FEED)) at++
    this.#lineEnds += at - from
    if (this.#lineEnds <= MAX_LINE_ENDS) return at
    throw this.#part === 'head' ? tooLarge() : unrequested()
  }

  #finish(): void {
    this.#part = 'between'
    this.#lineEnds = 0
    this.#chunks = undefined
    this.#parts.onEnd()
  }
}

/**
 * Refuses bytes that don't begin like a response. Done as early as possible, since such data may be endless.
 * @param end end of the received bytes
 * @throws FetchFailure
 */
function checkBeginning(bytes: Buffer, start: number, end: number): void {
  const length = Math.min(BEGINNING.length, end - start)
  for (let at = 0; at < length; at++) {
    if (bytes[start + at] === BEGINNING[at]) continue
    throw invalidResponse(NO_HTTP)
  }
}

function tooLarge(): FetchFailure {
  return headerTooLarge(`the header is longer than ${MAX_HEAD} bytes`)
}

function unrequested(): FetchFailure {
  return invalidResponse('the server sent a response that was not requested')
}
