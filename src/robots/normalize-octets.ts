// Characters that stay as they are: unreserved ones (RFC 3986, 2.3), `%`, and delimiters of a path
// or query, which differ in meaning from their percent-encoded form. `*` is the wildcard of
// patterns.
const TO_NORMALIZE = /%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~%/?&=+;*]+/g
const NORMALIZED = /^[A-Za-z0-9\-._~/?&=+;]*$/
const UNRESERVED = /[A-Za-z0-9\-._~]/

/**
 * Normalizes a path or pattern: texts that RFC 9309, 2.2.2 considers equal have the same result.
 * Unreserved characters are decoded, and others percent-encoded with capital digits, except `*` and
 * delimiters. The result is ASCII, so its length is its number of octets.
 */
export function normalizeOctets(text: string): string {
  return text.replace(TO_NORMALIZE, (part) =>
    part[0] === '%' ? normalizeTriplet(part) : encode(part),
  )
}

/** Normalizes the path and query of a URL for comparison with patterns. */
export function normalizePathAndQuery(pathAndQuery: string): string {
  if (NORMALIZED.test(pathAndQuery)) return pathAndQuery
  return normalizeQuery(normalizeOctets(pathAndQuery).replaceAll('*', '%2A'))
}

/**
 * Decodes `%2F` and `%3F` within a query. `/` and `?` are no delimiters there, so both spellings are
 * equal (the RFC's example `/foo/bar?baz=https://foo.bar`).
 */
export function normalizeQuery(octets: string): string {
  const start = octets.indexOf('?')
  if (start < 0 || !octets.includes('%', start)) return octets
  const query = octets.slice(start).replaceAll('%2F', '/').replaceAll('%3F', '?')
  return octets.slice(0, start) + query
}

function normalizeTriplet(triplet: string): string {
  const char = String.fromCharCode(Number.parseInt(triplet.slice(1), 16))
  return UNRESERVED.test(char) ? char : triplet.toUpperCase()
}

function encode(text: string): string {
  return Buffer.from(text).toString('hex').toUpperCase().replace(/../g, '%$&')
}
