// Left as they are: unreserved characters (RFC 3986, 2.3), `%`, and the delimiters that part a path
// or a query, which differ in meaning from their percent-encoded form. `*` is the patterns' own.
const unsettled = /%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~%/?&=+;*]+/g
const settled = /^[A-Za-z0-9\-._~/?&=+;]*$/
const unreserved = /[A-Za-z0-9\-._~]/

/**
 * One spelling for all that RFC 9309, 2.2.2 calls equal: unreserved characters bare, everything else
 * percent-encoded with capital digits. `*` stays. The result is ASCII: its length is its octets.
 */
export function settleOctets(text: string): string {
  return text.replace(unsettled, (part) => (part[0] === '%' ? settleTriplet(part) : encode(part)))
}

/** Path and query of a URL in the form in which patterns are compared with it. */
export function octetsToMatch(pathAndQuery: string): string {
  if (settled.test(pathAndQuery)) return pathAndQuery
  return settleQuery(settleOctets(pathAndQuery).replaceAll('*', '%2A'))
}

/**
 * Within a query `/` and `?` part nothing, so there they equal `%2F` and `%3F` (the RFC's example
 * `/foo/bar?baz=https://foo.bar`); they come out decoded.
 */
export function settleQuery(octets: string): string {
  const start = octets.indexOf('?')
  if (start < 0 || !octets.includes('%', start)) return octets
  const query = octets.slice(start).replaceAll('%2F', '/').replaceAll('%3F', '?')
  return octets.slice(0, start) + query
}

function settleTriplet(triplet: string): string {
  const char = String.fromCharCode(Number.parseInt(triplet.slice(1), 16))
  return unreserved.test(char) ? char : triplet.toUpperCase()
}

function encode(text: string): string {
  return Buffer.from(text).toString('hex').toUpperCase().replace(/../g, '%$&')
}
