import type { UrlWithOffset } from './url-with-offset.ts'

/** Matches everything before the URL: the time, a separator, `url=` and a quote. Only the time is required. */
const BEFORE_URL =
  /^[\t\n\f\r ]*[\d.]+(?=[\t\n\f\r ;,]|$)[\t\n\f\r ]*[;,]?[\t\n\f\r ]*(?:url[\t\n\f\r ]*=[\t\n\f\r ]*)?(["']?)/i

/**
 * Finds the URL in a refresh, which is the content of `<meta http-equiv=refresh>` or the value of a `Refresh` header
 * (HTML standard, "shared declarative refresh steps"). Returns an empty URL if the page reloads itself; undefined if
 * the text is not a refresh.
 */
export function findRefreshUrl(content: string): UrlWithOffset | undefined {
  const match = BEFORE_URL.exec(content)
  if (match === null) return undefined
  const [{ length: start }, quote = ''] = match
  const end = quote === '' ? -1 : content.indexOf(quote, start)
  return { url: content.slice(start, end < 0 ? undefined : end), start }
}

/** Like `findRefreshUrl`, without the position. */
export function refreshUrl(content: string): string | undefined {
  return findRefreshUrl(content)?.url
}
