import { codeOf } from '../../../errors.ts'

/** Errors of a connection that ended, or of a stream that never began or that one of the sides gave up. */
const LOST =
  /^(?:ECONNRESET|EPIPE|connection-reset|UND_ERR_SOCKET|UND_ERR_INFO|ERR_HTTP2_(?:INVALID_SESSION|GOAWAY_SESSION|STREAM_CANCEL))$/
/** All others of Node's HTTP/2, and traffic that exceeds its limits. */
const BROKEN = /^(?:ERR_HTTP2_|invalid-response$)/

/** Returns whether another connection may bring the response. */
export function isLost(error: Error): boolean {
  return LOST.test(codeOf(error))
}

/** Returns whether what the server sends as HTTP/2 can't be read. */
export function isBroken(error: Error): boolean {
  return BROKEN.test(codeOf(error)) && !isLost(error)
}
