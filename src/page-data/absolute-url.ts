/** Resolves a URL of a page, with its fragment; an invalid one stays as it is. */
export function absoluteUrl(href: string, base: string): string {
  return URL.parse(href, base)?.href ?? href
}
