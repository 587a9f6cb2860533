import type { PlacedUrl } from './placed-url.ts'

/** The time, what parts it from the URL, a label and a quote; there is nothing else that has to be there. */
const BEFORE_URL =
  /^[\t\n\f\r ]*[\d.]+(?=[\t\n\f\r ;,]|$)[\t\n\f\r ]*[;,]?[\t\n\f\r ]*(?:url[\t\n\f\r ]*=[\t\n\f\r ]*)?(["']?)/i

/**
 * The URL that a refresh names (the content of `<meta http-equiv=refresh>`, the value of a
 * `Refresh` header): '' when the page is to reload itself, `undefined` when it is no refresh at
 * all. HTML standard, shared declarative refresh steps.
 */
export function refreshPlace(content: string): PlacedUrl | undefined {
  const match = BEFORE_URL.exec(content)
  if (match === null) return undefined
  const [{ length: start }, quote = ''] = match
  const end = quote === '' ? -1 : content.indexOf(quote, start)
  return { url: content.slice(start, end < 0 ? undefined : end), start }
}

/** The same, without where it stands. */
export function refreshUrl(content: string): string | undefined {
  return refreshPlace(content)?.url
}
