import { messageOf } from '../errors.ts'
import type { ErrorCode } from '../records/error-code.ts'
import { NO_SUCH_NAME } from './resolver.ts'

/** A request that got no usable answer. */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure'
  readonly code: ErrorCode
  /** A later attempt may succeed. */
  readonly passing: boolean
  /** Of the answer that broke off or can't be read; undefined when there was none. */
  readonly status: number | undefined

  constructor(code: ErrorCode, message: string, passing: boolean, status?: number) {
    super(message)
    this.code = code
    this.passing = passing
    this.status = status
  }

  /** The same, for an answer with this status; 0 when there was none. */
  withStatus(status: number): FetchFailure {
    return new FetchFailure(this.code, this.message, this.passing, status || undefined)
  }
}

const CODES: readonly (readonly [RegExp, ErrorCode, passing: boolean])[] = [
  [NO_SUCH_NAME, 'dns-failure', false],
  [/^EAI_/, 'dns-failure', true],
  [/^ECONNREFUSED$/, 'connection-refused', true],
  [/^ECONNRESET$|^EPIPE$|^UND_ERR_SOCKET$/, 'connection-reset', true],
  [/^ETIMEDOUT$|^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$/, 'timeout', true],
  [/^HPE_HEADER_OVERFLOW$|^UND_ERR_HEADERS_OVERFLOW$/, 'header-too-large', false],
  [/^HPE_|^HTTPParserError$|^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/, 'invalid-response', false],
  [/^ERR_TLS|^ERR_SSL|^EPROTO$|CERT|^UNABLE_TO_/, 'tls-failure', false],
  [/^E[A-Z]+$/, 'connection-failed', true],
]

/** The failure behind an error of undici, of a socket or of the parser. */
export function failureOf(error: unknown): FetchFailure {
  if (error instanceof FetchFailure) return error
  const cause = error instanceof AggregateError ? (error.errors[0] ?? error) : error
  const code = codeOf(cause)
  const message = wordsOf(cause, code)
  // undici's words for 101, unasked.
  const isUnasked = code === 'UND_ERR_SOCKET' && message === 'bad upgrade'
  if (isUnasked) return new FetchFailure('invalid-response', message, false)
  const known = CODES.find(([pattern]) => pattern.test(code))
  return known === undefined
    ? new FetchFailure('internal', message, false)
    : new FetchFailure(known[1], message, known[2])
}

/** An error of OpenSSL: number of the thread, code, library, function, reason, source file and line. */
const OPENSSL_ERROR = /[\dA-F]+:error:[\dA-F]+:[^:]*:[^:]*:([^:]+):/

/** `getaddrinfo ENOTFOUND example` says little to those who don't know the resolver. */
function wordsOf(error: unknown, code: string): string {
  const reason = OPENSSL_ERROR.exec(messageOf(error))?.[1]
  if (reason !== undefined) return `TLS could not be agreed on: ${reason} (${code})`
  if (!(error instanceof Error && 'hostname' in error)) return messageOf(error)
  if (NO_SUCH_NAME.test(code)) return `there is no host named ${error.hostname} (${code})`
  if (code.startsWith('EAI_')) return `${error.hostname} can't be looked up now (${code})`
  return messageOf(error)
}

/** The parser's errors have a name only. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
