import type { Socket } from 'node:net'
import type { ErrorCode } from '../../../records/error-code.ts'
import { FetchFailure } from '../../fetch-failure.ts'
import { StaleConnection } from '../connections/stale-connection.ts'
import { cutShort } from '../network-failure.ts'
import { exceedsOverhead } from '../overhead.ts'

const CONTINUE = 100
const REQUEST_TIMEOUT = 408
const PROCESSING = 102
const TAB = 0x09
const SPACE = 0x20
const DEL = 0x7f

/** The part of undici's parser of HTTP/1 that is changed here: `Parser` of its `client-h1.js`. */
export interface UndiciParser {
  readonly socket: Socket
  /** Functions of the parser in WebAssembly. */
  readonly llhttp: Readonly<Record<LenientFlag, (parser: number, isOn: number) => void>>
  readonly ptr: number
  readonly statusCode: number
  /** Names and values in turn. */
  headers: Buffer[]
  contentLength: number
  /** True while nothing more is to be parsed. */
  readonly paused: boolean
  /** Takes what the socket has read. */
  execute(bytes: Buffer): void
  onMessageBegin(): number
  onBody(bytes: Buffer): number
  /** Takes a name, or the next piece of one. */
  onHeaderField(piece: Buffer): number
  /** Takes a value, or the next piece of one. */
  onHeaderValue(piece: Buffer): number
  /** Returns what the parser does next; -1 ends it. */
  onHeadersComplete(status: number, isUpgrade: boolean, isKeptAlive: boolean): number
  /** Called at the end of each answer, interim ones included. */
  onMessageComplete(): number
  /** Called when the connection has ended in a body. Returns what is wrong with that. */
  finish(): Error | null
  createError(code: number, data: Buffer): Error
}

const LENIENT_FLAGS = [
  // Values that go on in the next line (RFC 9112, 5.2).
  'llhttp_set_lenient_headers',
  // Lines that end with LF alone (RFC 9112, 2.2).
  'llhttp_set_lenient_optional_cr_before_lf',
  // Servers that pad the size of a chunk.
  'llhttp_set_lenient_spaces_after_chunk_size',
] as const
type LenientFlag = (typeof LENIENT_FLAGS)[number]

/** Pieces that the names and values of a header may come in, beside the first ones: each is a copy. */
const MAX_PIECES = 1_000

/**
 * Changes how undici reads answers, for a parser that has read nothing yet:
 *
 * - 100 is an interim answer like any other (RFC 9110, 15.2). undici ends the connection there:
 *   https://github.com/nodejs/undici/issues/197.
 * - Header lines may be folded, and end with LF alone, as browsers take them. No control characters get
 *   through by that.
 * - A body that a reset ends is not whole. undici takes it for whole when it has no length.
 * - A body that ends too early is told by one error, whether or not the server had announced the end.
 * - A connection that was kept alive and is of no use before the next answer begins is `StaleConnection`.
 * - A length may have white space after it. undici compares the digits with the body, spaces included;
 *   the parser beneath has counted it all the same.
 * - A header goes into an array of its own. undici takes one that it made at the end of the last header: by then
 *   it is old, so that even when it is dropped, what it names, the body included, is kept by all but full collections.
 */
export function mendParser(parser: UndiciParser): void {
  const { onMessageBegin, onHeadersComplete, finish, createError } = parser
  for (const flag of LENIENT_FLAGS) parser.llhttp[flag](parser.ptr, 1)
  parser.onMessageBegin = () => {
    parser.headers = []
    return onMessageBegin.call(parser)
  }
  parser.onHeadersComplete = (status, isUpgrade, isKeptAlive) => {
    if (parser.headers.some(hasControl)) {
      return refuse(parser, 'invalid-response', 'there are control characters in the header')
    }
    const told = status === CONTINUE ? PROCESSING : status
    const next = onHeadersComplete.call(parser, told, isUpgrade, isKeptAlive)
    parser.contentLength = -1
    return next
  }
  parser.finish = () => parser.socket.errored ?? (finish.call(parser) && cutShort())
  parser.createError = (code, data) => {
    parser.contentLength = -1
    return createError.call(parser, code, data)
  }
  boundPieces(parser)
  boundOverhead(parser)
  tellStale(parser)
}

/** Reports the bytes that a connection reads, headers included, when they are parsed. */
export function countReads(parser: UndiciParser, onRead: (bytes: number) => void): void {
  const { execute, socket } = parser
  let before = socket.bytesRead
  parser.execute = (bytes) => {
    // Not those of `bytes`: after a pause some of them come again.
    onRead(socket.bytesRead - before)
    before = socket.bytesRead
    execute.call(parser, bytes)
  }
}

/** Has a listener called whenever an answer has been read. */
export function onAnswered(parser: UndiciParser, listener: () => void): void {
  const { onMessageComplete } = parser
  parser.onMessageComplete = () => {
    const next = onMessageComplete.call(parser)
    listener()
    return next
  }
}

function tellStale(parser: UndiciParser): void {
  const { socket, onHeadersComplete, onMessageComplete } = parser
  const { destroy } = socket
  let hasServed = false
  let isAnswering = false
  parser.onHeadersComplete = (status, ...rest) => {
    // Sent when the server had waited long enough, and read as the answer to what was sent meanwhile.
    if (status === REQUEST_TIMEOUT && hasServed && !isAnswering) {
      socket.destroy(new Error('the server had given the connection up'))
      return -1
    }
    isAnswering = true
    return onHeadersComplete.call(parser, status, ...rest)
  }
  parser.onMessageComplete = () => {
    if (parser.statusCode >= 200) {
      hasServed = true
      isAnswering = false
    }
    return onMessageComplete.call(parser)
  }
  socket.destroy = (error) => {
    const isStale = error !== undefined && hasServed && !isAnswering && !isOwn(error)
    return destroy.call(socket, isStale ? new StaleConnection(error.message) : error)
  }
}

/** Returns whether undici ends a connection for reasons of its own. */
function isOwn(error: Error): boolean {
  return 'code' in error && error.code === 'UND_ERR_INFO'
}

/** The parser passes over extensions of chunks as long as they come; a chunk may be of one byte. */
function boundOverhead(parser: UndiciParser): void {
  const { execute, onMessageBegin, onBody } = parser
  let received = 0
  let body = 0
  parser.onMessageBegin = () => {
    received = body = 0
    return onMessageBegin.call(parser)
  }
  parser.onBody = (bytes) => {
    body += bytes.length
    return onBody.call(parser, bytes)
  }
  parser.execute = (bytes) => {
    received += bytes.length
    if (!exceedsOverhead(received, body)) execute.call(parser, bytes)
    else if (parser.statusCode === 0) refuse(parser, 'header-too-large', 'the header has no end')
    else refuse(parser, 'invalid-response', 'there is much more around the body than in it')
  }
}

/** undici copies all of a name or value for each piece that it gets more: of a fold, or of what drips. */
function boundPieces(parser: UndiciParser): void {
  const { onHeaderField, onHeaderValue, onMessageBegin } = parser
  let pieces = 0
  const take = (original: UndiciParser['onHeaderField'], piece: Buffer, isFurther: boolean) => {
    if (!isFurther || ++pieces <= MAX_PIECES) return original.call(parser, piece)
    return refuse(parser, 'header-too-large', `the header is in more than ${MAX_PIECES} pieces`)
  }
  parser.onMessageBegin = () => {
    pieces = 0
    return onMessageBegin.call(parser)
  }
  parser.onHeaderField = (piece) => take(onHeaderField, piece, parser.headers.length % 2 === 1)
  parser.onHeaderValue = (piece) => take(onHeaderValue, piece, parser.headers.length % 2 === 0)
}

function refuse({ socket }: UndiciParser, code: ErrorCode, message: string): number {
  socket.destroy(new FetchFailure(code, message, false))
  return -1
}

/** Returns whether there is a byte that no header may have (RFC 9110, 5.5). */
function hasControl(text: Buffer): boolean {
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0
    if ((byte < SPACE && byte !== TAB) || byte === DEL) return true
  }
  return false
}
