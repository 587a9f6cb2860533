import { codeOf } from '../../../errors.ts'

/**
 * Error codes of frames (RFC 9113, 7). Node itself resets a stream with ENHANCE_YOUR_CALM if its header has too many
 * fields, so this code certainly comes from the server only in a GOAWAY.
 */
export const [NO_ERROR, REFUSED_STREAM, ENHANCE_YOUR_CALM, HTTP_1_1_REQUIRED] = [0, 7, 11, 13]

/** Errors of a connection that ended, and of a stream that never began or was canceled. */
const LOST =
  /^(?:ECONNRESET|EPIPE|connection-reset|UND_ERR_SOCKET|UND_ERR_INFO|ERR_HTTP2_(?:INVALID_SESSION|GOAWAY_SESSION|STREAM_CANCEL))$/
/** All other errors of Node's HTTP/2, traffic that exceeds its limits, and a server that allows no stream. */
const BROKEN = /^(?:ERR_HTTP2_|invalid-response$)/

/** Returns whether the request may succeed on another connection. */
export function isLost(error: Error): boolean {
  return LOST.test(codeOf(error))
}

/** Returns whether the HTTP/2 of a server doesn't work. */
export function isBroken(error: Error): boolean {
  return BROKEN.test(codeOf(error)) && !isLost(error)
}
