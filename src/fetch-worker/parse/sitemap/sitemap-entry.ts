/** An entry of a sitemap. */
export interface SitemapEntry {
  readonly kind: 'page' | 'sitemap'
  /**
   * As written, without white space around it: to be resolved against the URL of the sitemap. It
   * may be a slice of the file: resolve or copy it.
   */
  readonly href: string
}

/** Longer ones are no URLs that could be fetched. */
export const MAX_HREF_LENGTH = 8_000
