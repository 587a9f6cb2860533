import { detachedCopy } from '../../../encoding/detached-copy.ts'
import { indexOrEnd } from '../../../url/index-or-end.ts'
import type { ResponseHeaders } from '../../fetcher.ts'
import { TOKEN } from '../../header-names.ts'
import { withoutSpace } from '../header-tokens.ts'
import { headerTooLarge, invalidResponse } from '../network-failure.ts'
import { type BodyEnd, bodyEndOf } from './body-end.ts'
import { keepAliveMs } from './keep-alive.ts'

/** Maximum number of folded lines, which continue the line before (RFC 9112, 5.2). */
const MAX_FOLDS = 1_000

/** The message for a response that isn't HTTP/1. */
export const NO_HTTP = "the response doesn't begin with a status line of HTTP/1"

const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: (.*))?$/
/** Characters that headers must not contain (RFC 9110, 5.5), and a carriage return without a line feed. */
const CONTROL = /[^\t\n\r\x20-\x7e\x80-\xff]|\r(?!\n)/g
/** Matches such characters, lines that end with LF only, and folded lines. Few heads have any of these. */
const IRREGULAR = new RegExp(`${CONTROL.source}|(?<!\\r)\\n|\\n[\\t ]`)
const FOLD = /\r?\n(?=[ \t])/g
const FOLDED_STATUS_LINE = /^[^\n]*\n[ \t]/
const LINE_END = '\r\n'
/** Maximum number of remembered names of headers, and of characters of each. */
const MAX_NAMES = 256
const MAX_NAME_LENGTH = 64

/** The name of a header as it was received, and in lower case. */
interface HeaderName {
  readonly received: string
  readonly lower: string
}

/** Names by the names as received. Most servers send the same names. */
const knownNames = new Map<string, HeaderName>()
/** The names of the last response, by their places. Most servers send the same names again in the same order. */
const lastNames: HeaderName[] = []

/** The status line and the header of a response. */
export interface ParsedHead {
  readonly status: number
  readonly reason: string
  readonly headers: ResponseHeaders
  /** The header as it was received, without folds. */
  readonly fields: string
  readonly bodyEnd: BodyEnd
  /** Milliseconds for which the connection can be used again after the body; 0 if it can't. */
  readonly keepAliveMs: number
}

/**
 * Parses the head of a response of HTTP/1 (RFC 9112, 4 and 5). As in browsers, control characters become spaces, and
 * lines that aren't valid fields are ignored.
 * @param text the head without the empty line at its end, one character per byte
 * @param isHead true for a response to HEAD
 * @throws FetchFailure
 */
export function parseResponseHead(text: string, isHead: boolean): ParsedHead {
  const head = IRREGULAR.test(text) ? regular(text) : text
  const fieldsAt = indexOrEnd(head, LINE_END)
  const statusLine = STATUS_LINE.exec(head.slice(0, fieldsAt))
  if (statusLine === null) throw invalidResponse(NO_HTTP)
  const headers = headersOf(head, fieldsAt)
  const status = Number(statusLine[2])
  const message = { status, isHead, isHttp10: statusLine[1] === '0', headers }
  const bodyEnd = bodyEndOf(message)
  const keptMs = keepAliveMs(message, bodyEnd)
  const reason = statusLine[3] ?? ''
  return { status, reason, headers, fields: head.slice(fieldsAt), bodyEnd, keepAliveMs: keptMs }
}

/** Returns names and values alternately, as they were received. */
export function fieldsOf({ fields }: ParsedHead): string[] {
  return fields.split(LINE_END).flatMap((line) => fieldOf(line))
}

/**
 * Returns a head with a space for each control character, with CRLF at the end of each line, and with folded lines,
 * including their leading white space, at the end of the line before.
 */
function regular(text: string): string {
  const head = text.replace(CONTROL, ' ')
  if (FOLDED_STATUS_LINE.test(head)) throw invalidResponse('the status line is folded')
  let folds = 0
  const unfolded = head.replace(FOLD, () => {
    folds++
    return ''
  })
  if (folds > MAX_FOLDS) {
    throw headerTooLarge(`the header has more than ${MAX_FOLDS} folds`)
  }
  return unfolded.replace(/\r?\n/g, LINE_END)
}

/** Returns the headers of a regular head. @param fieldsAt end of the status line */
function headersOf(head: string, fieldsAt: number): ResponseHeaders {
  const headers: Record<string, string | string[]> = {}
  let colon = fieldsAt
  let place = 0
  for (let lineEnd = fieldsAt; lineEnd < head.length && colon >= 0; place++) {
    const start = lineEnd + LINE_END.length
    lineEnd = indexOrEnd(head, LINE_END, start)
    if (colon < start) colon = head.indexOf(':', start)
    const name = colon < lineEnd ? lowerCased(head, start, colon, place) : undefined
    if (name !== undefined) add(headers, name, withoutSpace(head, colon + 1, lineEnd))
  }
  return headers
}

function add(headers: Record<string, string | string[]>, name: string, value: string): void {
  const before = Object.hasOwn(headers, name) ? headers[name] : undefined
  if (Array.isArray(before)) before.push(value)
  else if (before !== undefined) headers[name] = [before, value]
  else if (name === '__proto__') define(headers, name, value)
  else headers[name] = value
}

/** Adds a header named `__proto__`: an assignment would set the prototype. */
function define(headers: object, name: string, value: string): void {
  Object.defineProperty(headers, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  })
}

/** Returns the name and the value of a field; nothing for an invalid one. */
function fieldOf(line: string): string[] {
  const colon = line.indexOf(':')
  const name = withoutSpace(line, 0, Math.max(0, colon))
  return TOKEN.test(name) ? [name, withoutSpace(line, colon + 1)] : []
}

/**
 * Returns the name of a header in lower case; undefined if it is invalid. White space after it is removed (RFC 9112,
 * 5.1).
 * @param start begin of its line
 * @param colon end of the name
 * @param place number of the header in its head
 */
function lowerCased(head: string, start: number, colon: number, place: number): string | undefined {
  const last = lastNames[place]
  // Comparing takes a fraction of the time of a look-up, for which V8 puts the name into its own table of names.
  if (last?.received.length === colon - start && head.startsWith(last.received, start))
    return last.lower
  const received = head.slice(start, Math.max(start, colon))
  const known = knownNames.get(received)
  if (known === undefined) return newName(received)
  if (place < MAX_NAMES) lastNames[place] = known
  return known.lower
}

/** Returns a name that isn't known yet in lower case, and remembers it; undefined if it is invalid. */
function newName(received: string): string | undefined {
  const lower = withoutSpace(received).toLowerCase()
  if (!TOKEN.test(lower)) return undefined
  if (received.length <= MAX_NAME_LENGTH && knownNames.size < MAX_NAMES) {
    // A slice would keep the whole head in memory, so the names are copied.
    const name = { received: detachedCopy(received), lower: detachedCopy(lower) }
    knownNames.set(name.received, name)
  }
  return lower
}
