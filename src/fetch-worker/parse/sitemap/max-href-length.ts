/** Maximum characters of an entry of a sitemap: longer ones are no URLs that could be fetched. */
export const MAX_HREF_LENGTH = 8_000
