import { percentEncoded } from '../encoding/percent-encoded.ts'

/** Session ids in the paths of ASP.NET: `/(S(24 characters))/page.aspx`. */
const PATH_SESSIONS = [
  /^(.*\/)(?:\((?:[a-z]\([0-9a-z]{24}\))+\)\/)([^?]+\.aspx.*)$/is,
  /^(.*\/)(?:\([0-9a-z]{24}\)\/)([^?]+\.aspx.*)$/is,
]
const QUERY_SESSIONS = [
  /^(.*)jsessionid=[0-9a-z]{32}(?:&(.*))?$/is,
  /^(.*)phpsessid=[0-9a-z]{32}(?:&(.*))?$/is,
  /^(.*)sid=[0-9a-z]{32}(?:&(.*))?$/is,
  /^(.*)aspsessionid[a-z]{8}=[a-z]{24}(?:&(.*))?$/is,
  /^(.*)cfid=[^&]+&cftoken=[^&]+(?:&(.*))?$/is,
]

/**
 * Returns the key by which indexes of archives are sorted: the reversed host, the path and the sorted parameters, in
 * lower case, without scheme, `www.`, final slash and session ids. Readers of an index compute the same key to find a
 * URL, with the Internet Archive's `surt` package (`DefaultIAURLCanonicalizer`).
 *
 * @param url canonical
 */
export function surtOf(url: string): string {
  const { hostname, port, pathname, search } = new URL(url)
  const host = hostname
    .replace(/^www\d*\./, '')
    .split('.')
    .reverse()
    .join(',')
  const query = queryKey(search.slice(1))
  const authority = `${host}${port === '' ? '' : `:${port}`}`
  return `${authority})${pathKey(pathname)}${query === '' ? '' : `?${query}`}`
}

function pathKey(pathname: string): string {
  const path = escapeOnce(normalizePath(unescapeFully(pathname))).toLowerCase()
  return withoutSession(path, PATH_SESSIONS).replace(/(?<=.)\/$/s, '')
}

/** Removes dot segments and empty segments, which unescaping may have added. */
function normalizePath(path: string): string {
  const kept: string[] = []
  const segments = path.split('/').slice(1)
  for (const segment of segments) {
    if (segment === '..' && kept.length > 0) kept.pop()
    else if (segment !== '.') kept.push(segment)
  }
  const last = kept.pop() ?? ''
  return `/${[...kept.filter(Boolean), last].join('/')}`
}

function queryKey(query: string): string {
  const kept = withoutSession(escapeOnce(unescapeFully(query)), QUERY_SESSIONS).toLowerCase()
  // NUL sorts a name before longer ones, and before itself with an empty value.
  const sortable = kept.split('&').map((parameter) => parameter.replace('=', '\0'))
  return sortable.sort().join('&').replaceAll('\0', '=')
}

function withoutSession(text: string, patterns: readonly RegExp[]): string {
  return patterns.reduce(
    (rest, pattern) =>
      rest.replace(pattern, (_, before: string, after?: string) => before + (after ?? '')),
    text,
  )
}

/** Unescapes until nothing is escaped: `%2541` becomes `A`. Each character of the result is a byte. */
function unescapeFully(text: string): string {
  let rest = text
  for (;;) {
    // `%2525…` would take a round for each pair of digits.
    const unescaped = rest
      .replace(/%(?:25)+(?=[0-9a-f]{2})/gi, '%')
      .replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 16)),
      )
    if (unescaped === rest) return rest
    rest = unescaped
  }
}

/** Escapes all bytes but printable ASCII, `#` and `%`. */
function escapeOnce(bytes: string): string {
  return bytes.replace(/[^!"$&-~]/g, percentEncoded)
}
