import { isDeepStrictEqual } from 'node:util'
import type { Received } from './arbitrary-response.ts'
import { piecesOf, type ReadResult, readResponse } from './read-response.ts'
import { readWithLlhttp } from './read-with-llhttp.ts'

/** A response that our reader and undici's parser read differently. */
interface Difference {
  readonly received: Received
  readonly ours: ReadResult
  readonly theirs: ReadResult
  /** The heads of all responses, interim ones included, as received. */
  readonly heads: string
}

/** Control characters of headers, and carriage returns without a line feed, except before a status line. */
const CONTROL = /[^\t\n\r\x20-\x7e\x80-\xff]|(?<!(?:^|\n\r?\n)[\r\n]*)\r(?!\n)/g
const FRAMING = '(?:content-length|transfer-encoding|(?:proxy-)?connection)'
const NO_FIELD = /[^\r\n]\r*\n(?![!#$%&'*+.^_`|~\w-]+[ \t]*:|[ \t\r\n]|$)/
const SPACE_AFTER = new RegExp(String.raw`^${FRAMING}:[^\n]*(?:\t[ \t]*\r?\n|\n[ \t])`, 'im')
const INVALID_LENGTH = /^content-length:(?![ \t]*\d{1,15}[ \t]*\r?\n(?![ \t]))/im
const EMPTY_CODING = /^transfer-encoding:(?:[ \t]*,|[^\n]*,[ \t]*\r?\n)/im

/** Intended differences, by their reason. */
const EXCEPTIONS: Readonly<Record<string, (difference: Difference) => boolean>> = {
  // If the connection ends before the head does, the request fails in any case.
  'we check a head only when it is complete, and limit its length': ({ ours }) =>
    isInHead(ours) && ours.refused === undefined && ours.end === undefined,
  // llhttp accepts ICE and RTSP, too.
  'we refuse versions other than HTTP/1.0 and HTTP/1.1': ({ ours, heads }) =>
    ours.refused !== undefined && isInHead(ours) && /^[IR]|^HTTP\/(?!1\.[01] )/m.test(heads),
  'we ignore lines that are no fields': ({ heads }) => NO_FIELD.test(heads),
  // RFC 9112, 5.1.
  'we remove white space after names': ({ heads }) => /^[^\n:]*[ \t]:/m.test(heads),
  // RFC 9112, 6.3.
  'we let a transfer coding override a length': ({ heads }) =>
    /^content-length[ \t]*:/im.test(heads) && /^transfer-encoding[ \t]*:/im.test(heads),
  'we refuse a lone carriage return in the lines of chunks and trailers': ({
    received,
    ours,
    heads,
  }) =>
    ours.refused !== undefined &&
    /chunked/i.test(heads) &&
    /\r(?!\n)/.test(received.text.slice(heads.length)),
  // RFC 9112, 6.3.
  'we accept the same length several times': ({ theirs, heads }) =>
    theirs.refused !== undefined &&
    /^content-length:[^\n]*(?:,|\n(?:[^\n]+\n)*?content-length:)/im.test(heads),
  // As browsers do.
  'we ignore a length that is no number of bytes': ({ ours, heads }) =>
    ours.refused === undefined && INVALID_LENGTH.test(heads),
  'we refuse white space before the first header': ({ ours, heads }) =>
    ours.refused !== undefined && /^HTTP[^\n]*\n[ \t]/m.test(heads),
  'we refuse lengths that a number cannot represent exactly': ({ received, ours }) =>
    ours.refused !== undefined && /\d{16}|[\da-f]{14}/i.test(received.text),
  'we ignore the extensions of chunks': ({ received, ours, theirs, heads }) =>
    isReadByUs(ours, theirs) && /^[\da-f]+[ \t]*;/im.test(received.text.slice(heads.length)),
  'we ignore the trailer': ({ received, ours, theirs, heads }) =>
    isReadByUs(ours, theirs) && /^0+[^\n]*\n(?!\r?\n)/m.test(received.text.slice(heads.length)),
  // RFC 9110, 5.5.
  'we recognize a framing header despite tabs and folds after its value': ({ heads }) =>
    SPACE_AFTER.test(heads),
  // RFC 9110, 5.6.1.
  'we ignore empty elements of Transfer-Encoding': ({ heads }) => EMPTY_CODING.test(heads),
  'we leave it to the response handler to refuse 101': ({ ours, heads }) =>
    ours.refused === undefined && /^HTTP\/1\.[01] 101/m.test(heads),
  // llhttp skips the byte that follows.
  'we accept lines of chunks that end with LF only': ({ received, heads }) =>
    /chunked/i.test(heads) && /^[\da-f]+[ \t]*\n/im.test(received.text.slice(heads.length)),
  'we continue after an interim response that closes its connection': ({ ours, theirs }) =>
    ours.refused === undefined &&
    theirs.refused !== undefined &&
    isInHead(theirs) &&
    theirs.statuses.length > 0,
  'we close a connection whose response names close, even among others': ({
    ours,
    theirs,
    heads,
  }) =>
    isDeepStrictEqual(ours, { ...theirs, isKept: false }) &&
    /^(?:proxy-)?connection:.*close/im.test(heads),
  // RFC 9112, 6.1.
  'we close an HTTP/1.0 connection whose response has a transfer coding': ({
    ours,
    theirs,
    heads,
  }) =>
    isDeepStrictEqual(ours, { ...theirs, isKept: false }) &&
    /^HTTP\/1\.0/m.test(heads) &&
    /^transfer-encoding:/im.test(heads),
  'we use the shortest time of Keep-Alive, after any separator': ({ ours, theirs }) =>
    isDeepStrictEqual(ours, { ...theirs, isKept: false }) &&
    /timeout=/i.test(String(ours.headers['keep-alive'])),
}

export const EXCEPTION_NAMES: readonly string[] = Object.keys(EXCEPTIONS)

/** Returns true if only llhttp has refused a chunked body. */
function isReadByUs(ours: ReadResult, theirs: ReadResult): boolean {
  const coding = [theirs.headers['transfer-encoding'] ?? ''].flat().join()
  return /chunked/i.test(coding) && theirs.refused !== undefined && ours.refused === undefined
}

function isInHead({ statuses }: ReadResult): boolean {
  return (statuses.at(-1) ?? 0) < 200
}

/** The result of both parsers if it is the same, or the exception that applies. */
type Outcome = 'read' | 'refused' | 'without an end' | keyof typeof EXCEPTIONS

/**
 * Reads a response with both parsers, and with ours also byte by byte.
 * @throws Error if they differ, and no exception explains it
 */
export function compareWithLlhttp(received: Received): Outcome {
  const { text, isHead, cuts } = received
  const bytes = Buffer.from(text, 'latin1')
  const ours = readResponse(piecesOf(bytes, [...bytes.keys()]), isHead)
  // We replace control characters in the header (RFC 9110, 5.5).
  const heads = headsOf(text.replace(CONTROL, ' '))
  const replaced = heads + text.slice(heads.length)
  const theirs = readWithLlhttp(piecesOf(Buffer.from(replaced, 'latin1'), cuts), isHead)
  checkSplits(ours, readResponse(piecesOf(bytes, cuts), isHead))
  if (isSame(ours, theirs)) return outcomeOf(ours)
  const difference = { received, ours, theirs, heads }
  const known = Object.entries(EXCEPTIONS).find(([, isSo]) => isSo(difference))
  if (known !== undefined) return known[0]
  throw new Error(`the parsers differ: ${JSON.stringify(difference)}`)
}

function outcomeOf({ refused, end }: ReadResult): Outcome {
  if (refused !== undefined) return 'refused'
  return end === undefined ? 'without an end' : 'read'
}

function isSame(ours: ReadResult, theirs: ReadResult): boolean {
  if (ours.refused !== undefined || theirs.refused !== undefined) {
    return ours.refused === theirs.refused
  }
  // If a response is incomplete, only that fact is compared.
  if (ours.end === undefined) return theirs.end === undefined
  return isDeepStrictEqual(ours, theirs)
}

function checkSplits(bytewise: ReadResult, split: ReadResult): void {
  const end = typeof bytewise.end === 'number' && typeof split.end === 'number'
  if (isDeepStrictEqual({ ...bytewise, ...(end && { end: split.end }) }, split)) return
  throw new Error(`splits matter: ${JSON.stringify({ bytewise, split })}`)
}

/** Returns the heads of interim responses and of the final one. */
function headsOf(text: string): string {
  const interim = /^(?:[\r\n]*HTTP\/1\.[01] [01]\d\d(?:.|\n|\r)*?\n\r?\n)*/.exec(text)?.[0] ?? ''
  const end = /[^\r\n](?:.|\n|\r)*?\n\r?\n/.exec(text.slice(interim.length))
  return end === null ? text : text.slice(0, interim.length + end.index + end[0].length)
}
