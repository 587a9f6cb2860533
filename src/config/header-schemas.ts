import * as v from 'valibot'
import { CONNECTION_HEADERS, TOKEN } from '../fetch/header-names.ts'
import { Secret } from '../secret.ts'

// RFC 9110 sections 5.1 and 5.5: a token, and a value without control characters.
export const headerName = v.pipe(
  v.string('a header name'),
  v.regex(TOKEN, 'a header name'),
  v.maxLength(256, 'a header name of at most 256 characters'),
  v.check(
    (name) => !CONNECTION_HEADERS.includes(name.toLowerCase()),
    `a header other than ${CONNECTION_HEADERS.join(', ')}`,
  ),
)
export const headerValue = v.pipe(
  v.string('a header value'),
  v.regex(
    /^[\t\x20-\x7e\x80-\xff]{0,8192}$/,
    'a header value of one line, of at most 8192 characters of Latin-1',
  ),
)
/** Schema of user and password for HTTP Basic (RFC 7617). The user has no colon. */
export const basicLogin = v.pipe(
  v.string('user:password'),
  v.regex(/^[^:\p{Cc}]*:\P{Cc}*$/u, 'user:password on one line'),
  v.maxLength(4_096, 'user:password of at most 4096 characters'),
  v.transform((text) => new Secret(text)),
)
/** Schema of a header value that is kept secret: many headers carry a token, under names that can't be listed. */
export const secretValue = v.pipe(
  headerValue,
  v.transform((text) => new Secret(text)),
)

/** Schema of the URL of an https site, parsed to its origin. */
export function httpsOrigin() {
  const expected = 'an https URL without a path, such as https://bot.example'
  return v.pipe(
    v.string(expected),
    v.transform((text) => URL.parse(text)),
    v.check(
      (url) => url !== null && url.href === `${url.origin}/` && url.protocol === 'https:',
      expected,
    ),
    v.transform((url) => url?.origin ?? ''),
  )
}

/** Schema of a list of names of headers, in lower case. */
export function responseHeaderNames() {
  const expected = 'names of headers, such as last-modified,x-robots-tag'
  const name = v.pipe(
    v.string(expected),
    v.regex(TOKEN, expected),
    v.maxLength(256, 'names of at most 256 characters'),
    v.transform((text) => text.toLowerCase()),
  )
  return v.pipe(v.array(name, expected), v.maxLength(100, 'at most 100 names'))
}
