/**
 * The key by which indexes of archives are sorted: the host from its end, then path and query, lower
 * case, without scheme and `www.`, parameters sorted. As warcio and pywb make it.
 */
export function surtOf(url: string): string {
  const { hostname, port, pathname, search } = new URL(url.toLowerCase())
  const host = hostname
    .replace(/^www\d*\./, '')
    .split('.')
    .reverse()
    .join(',')
  const query = search === '' ? '' : `?${search.slice(1).split('&').sort().join('&')}`
  return `${host}${port === '' ? '' : `:${port}`})${pathname}${query}`
}
