import type { ResponseHeaders } from '../../fetcher.ts'
import { tokensOf, withoutSpace } from '../header-tokens.ts'
import { invalidResponse } from '../network-failure.ts'

/** The end of a body: after a number of bytes, after its last chunk, or with the connection. */
export type BodyEnd = number | 'last-chunk' | 'connection-end'

/** The parts of a response that determine where its body ends. */
export interface Message {
  readonly status: number
  /** True for a response to HEAD. */
  readonly isHead: boolean
  readonly isHttp10: boolean
  readonly headers: ResponseHeaders
}

/**
 * Returns where the body of a response ends (RFC 9112, 6.3). Chunks override a length.
 * @throws FetchFailure if it has several lengths
 */
export function bodyEndOf({ status, isHead, headers }: Message): BodyEnd {
  const length = lengthOf(headers['content-length'])
  if (isHead || hasNoBody(status)) return 0
  if (tokensOf(headers['transfer-encoding']).at(-1) === 'chunked') return 'last-chunk'
  return length ?? 'connection-end'
}

/** Returns true for interim responses, 204 and 304, which have no body (RFC 9110, 6.4.1). */
export function hasNoBody(status: number): boolean {
  return status < 200 || status === 204 || status === 304
}

/**
 * Returns the length; undefined if it isn't a number of bytes, such as `-1`, which browsers ignore. The same length may
 * be sent several times, also as a list (RFC 9112, 6.3).
 */
function lengthOf(value: string | readonly string[] | undefined): number | undefined {
  if (value === undefined) return undefined
  const isOne = typeof value === 'string' && !value.includes(',')
  const text = isOne ? value : onlyOneOf(`${value}`)
  const length = /^\d+$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(length) ? length : undefined
}

function onlyOneOf(list: string): string {
  const [first = '', ...others] = list.split(',').map((each) => withoutSpace(each))
  if (others.some((other) => other !== first))
    throw invalidResponse('Content-Length was sent with different values')
  return first
}
