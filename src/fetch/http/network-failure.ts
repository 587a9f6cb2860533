import { codeOf, isError, messageOf } from '../../errors.ts'
import { shortened } from '../../printable-text.ts'
import type { ErrorCode } from '../../records/error-code.ts'
import { NO_SUCH_NAME } from '../../runtime/dns-lookup.ts'
import { FetchFailure, INSECURE_HINT, type Persistence } from '../fetch-failure.ts'

/**
 * Codes for any invalid certificate. Node has `UNSPECIFIED` for the reasons that it gives no code of their own, such as a
 * key that is too short.
 */
const BAD_CERTIFICATE =
  /CERT|^UNABLE_TO_|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$|^HOSTNAME_MISMATCH$|^UNSPECIFIED$/

/** Failures by the error codes of sockets, OpenSSL, Node's HTTP/2 and undici. */
const CODES: readonly (readonly [RegExp, ErrorCode, Persistence])[] = [
  [/^ENOTFOUND$/, 'dns-failure', 'permanent'],
  [/^EAI_/, 'dns-failure', 'transient'],
  [/^ECONNREFUSED$/, 'connection-refused', 'transient'],
  // UND_ERR_INFO means a GOAWAY, or a stream that ended too early. A length mismatch means that the body was cut off.
  [
    /^ECONNRESET$|^EPIPE$|^UND_ERR_(SOCKET|INFO|RES_CONTENT_LENGTH_MISMATCH)$/,
    'connection-reset',
    'transient',
  ],
  [/^ETIMEDOUT$/, 'timeout', 'transient'],
  [
    /^ERR_HTTP2_(STREAM|SESSION)_ERROR$|^ERR_HTTP2_INVALID_SESSION$/,
    'connection-reset',
    'transient',
  ],
  // This is an error of the whole session, so another response may have caused it.
  [/^ERR_HTTP2_ERROR$/, 'invalid-response', 'transient'],
  [/^ERR_HTTP2_/, 'invalid-response', 'permanent'],
  [/^ERR_TLS|^ERR_SSL|^EPROTO$/, 'tls-failure', 'permanent'],
  [BAD_CERTIFICATE, 'tls-failure', 'permanent'],
  // Node has no names for some errors of Windows, nor for rare ones of other systems.
  [/^E[A-Z\d]+$|^UNKNOWN$|^Unknown system error /, 'connection-failed', 'transient'],
]

/** Returns the failure for an error of a connection. */
export function failureOf(error: unknown): FetchFailure {
  if (error instanceof FetchFailure) return error
  const cause = error instanceof AggregateError ? (error.errors[0] ?? error) : error
  const code = codeOf(cause)
  const message = describe(cause, code)
  const known = CODES.find(([pattern]) => pattern.test(code))
  return known === undefined
    ? new FetchFailure('internal', message, 'permanent')
    : new FetchFailure(known[1], message, known[2])
}

/** Returns the failure of a response that violates its protocol. */
export function invalidResponse(message: string): FetchFailure {
  return new FetchFailure('invalid-response', message, 'permanent')
}

/** Returns the failure of a response whose header or trailer exceeds a limit. */
export function headerTooLarge(message: string): FetchFailure {
  return new FetchFailure('header-too-large', message, 'permanent')
}

/** Returns the failure of a connection or a stream that is dead, or that either side ended. */
export function connectionReset(message: string): FetchFailure {
  return new FetchFailure('connection-reset', message, 'transient')
}

/**
 * Returns the failure of a request whose connection ended before the response did.
 * @param status the last status that was received; 0 if none was
 */
export function cutShort(status = 0): FetchFailure {
  const missing = status < 200 ? 'the response' : 'the end of the body'
  return connectionReset(`the connection was closed before ${missing}`)
}

/** A message of OpenSSL: number of the thread, code, library, function, reason, source file and line. */
const OPENSSL_ERROR = /[\dA-F]+:error:[\dA-F]+:[^:]*:[^:]*:([^:]+):/

/** Codes for an unknown certificate authority. Node's message continues with advice on Node's own options. */
const UNTRUSTED = /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/

/** Maximum characters about a certificate. Node's message lists all of its names, which may take 100 kB. */
const MAX_CERTIFICATE = 300

/** Hints by the reason that OpenSSL reports. */
const TLS_HINTS: Readonly<Record<string, string>> = {
  'wrong version number': '; the port may serve http instead',
  'tlsv1 alert protocol version': '; the server may support only old versions of TLS',
  'tlsv13 alert certificate required': '; --cert shows a client certificate',
}

/** Returns a message for users who don't know the messages of the resolver and OpenSSL. */
function describe(error: unknown, code: string): string {
  const reason = OPENSSL_ERROR.exec(messageOf(error))?.[1]
  if (reason !== undefined)
    return `the TLS handshake failed: ${reason} (${code})${TLS_HINTS[reason] ?? ''}`
  if (UNTRUSTED.test(code)) {
    return `${messageOf(error).split(';', 1)[0]}; --cacert trusts an authority, ${INSECURE_HINT}`
  }
  // If the certificate contains no name, Node's message ends with an empty list of names.
  if (BAD_CERTIFICATE.test(code)) {
    const stated = shortened(messageOf(error), MAX_CERTIFICATE).replace(/[^\w…]+$/, '')
    return `${stated}; ${INSECURE_HINT}`
  }
  if (!isError(error) || !('hostname' in error)) return messageOf(error)
  if (code === NO_SUCH_NAME) return `there is no host named ${error.hostname} (${code})`
  if (code.startsWith('EAI_')) return `${error.hostname} can't be looked up now (${code})`
  return messageOf(error)
}
