/** Maximum characters of an entry of a sitemap. Longer URLs could not be fetched. */
export const MAX_HREF_LENGTH = 8_000
