import type { RequestHeaderOptions } from '../request-headers.ts'

/** A user and a password. Each character is a byte of UTF-8, as in a header. */
export interface Credentials {
  readonly user: string
  readonly password: string
}

/** Matches the value of Authorization for HTTP Basic (RFC 7617). */
const BASIC = /^basic +(\S+)$/i
/** Matches a text that can be quoted in a header: it has no control characters. */
const QUOTABLE = /^[ -~\x80-\xff]*$/

/** Returns the credentials that requests send as HTTP Basic, by origin. */
export function basicCredentials({
  headers,
  headerOrigins,
  authorizations,
}: RequestHeaderOptions): ReadonlyMap<string, Credentials> {
  const byOrigin = new Map<string, Credentials>()
  const [, ofSeeds] = Object.entries(headers).find(([name]) => /^authorization$/i.test(name)) ?? []
  const shared = decode(ofSeeds)
  if (shared !== undefined) for (const origin of headerOrigins) byOrigin.set(origin, shared)
  for (const [origin, value] of Object.entries(authorizations)) {
    const own = decode(value)
    if (own !== undefined) byOrigin.set(origin, own)
  }
  return byOrigin
}

function decode(authorization = ''): Credentials | undefined {
  const [, encoded = ''] = BASIC.exec(authorization) ?? []
  const text = Buffer.from(encoded, 'base64').toString('latin1')
  const colon = text.indexOf(':')
  if (colon < 0 || !QUOTABLE.test(text)) return undefined
  return { user: text.slice(0, colon), password: text.slice(colon + 1) }
}
