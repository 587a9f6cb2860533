import type { ResponseHeaders } from '../../fetcher.ts'
import { hasToken } from '../header-tokens.ts'
import { type BodyEnd, hasNoBody, type Message } from './body-end.ts'

/** Milliseconds for which a connection is kept alive if its server specifies no time. */
export const DEFAULT_KEPT_MS = 4_000
/** Maximum milliseconds, even if the server allows more, since there may be many servers. */
const MAX_MS = 5_000
/** Milliseconds before the server's time-out at which a connection is closed, since a request takes time to arrive. */
const EARLIER_MS = 2_000

const TIMEOUT = /(?:^|[\s,;])timeout=(\d+)/gi

/**
 * Returns the milliseconds for which a connection can be used again after a response; 0 if it can't (RFC 9112, 9.3). If
 * the server specifies several times, the shortest counts.
 */
export function keepAliveMs(message: Message, end: BodyEnd): number {
  if (end === 'connection-end' || !isKept(message)) return 0
  const header = message.headers['keep-alive']
  if (header === undefined) return DEFAULT_KEPT_MS
  const times = String(header).matchAll(TIMEOUT)
  const seconds = Math.min(...[...times].map(([, digits]) => Number(digits)))
  if (seconds === Number.POSITIVE_INFINITY) return DEFAULT_KEPT_MS
  return Math.max(0, Math.min(MAX_MS, 1_000 * seconds - EARLIER_MS))
}

function isKept({ status, isHead, isHttp10, headers }: Message): boolean {
  const isCoded = headers['transfer-encoding'] !== undefined
  const length = headers['content-length']
  // The end of such a message is not reliable (RFC 9112, 6.1 and 6.3).
  if (isCoded && (isHttp10 || length !== undefined)) return false
  // Some servers send a body although there must be none. It would be read as the next response.
  const mayHaveBody = isCoded || Number(length ?? 0) !== 0
  if (isHead || (mayHaveBody && hasNoBody(status))) return false
  return !hasOption(headers, 'close') && (!isHttp10 || hasOption(headers, 'keep-alive'))
}

/** Returns whether a response has an option for its connection. Old proxies send Proxy-Connection instead. */
function hasOption(headers: ResponseHeaders, option: string): boolean {
  return hasToken(headers['connection'], option) || hasToken(headers['proxy-connection'], option)
}
