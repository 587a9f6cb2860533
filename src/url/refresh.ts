import type { UrlWithOffset } from './url-with-offset.ts'

/** The time, a separator, a label and a quote; only the time is required. */
const BEFORE_URL =
  /^[\t\n\f\r ]*[\d.]+(?=[\t\n\f\r ;,]|$)[\t\n\f\r ]*[;,]?[\t\n\f\r ]*(?:url[\t\n\f\r ]*=[\t\n\f\r ]*)?(["']?)/i

/**
 * Finds the URL in a refresh (the content of `<meta http-equiv=refresh>`, or the value of a
 * `Refresh` header): '' when the page reloads itself, `undefined` when the text is not a refresh.
 * HTML standard, shared declarative refresh steps.
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
