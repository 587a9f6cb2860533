/** Resolves a URL of a page, with its fragment. An invalid URL is returned unchanged. */
export function absoluteUrl(href: string, base: string): string {
  return URL.parse(href, base)?.href ?? href
}
