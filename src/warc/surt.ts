/**
 * Returns the key by which indexes of archives are sorted, in the form of warcio and pywb. It consists
 * of the reversed host, the path, and the sorted parameters, in lower case, without scheme and `www.`.
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
