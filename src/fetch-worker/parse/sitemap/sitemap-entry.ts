/** An entry of a sitemap or a feed. Its texts may be slices of the file: resolve or copy them. */
export interface SitemapEntry {
  /** As written, or absolute where `xml:base` applies; without surrounding white space. */
  readonly href: string
  /** When it was last modified, as written; undefined if the file doesn't say. */
  readonly modified?: string | undefined
}

/** Matches a date without a time: a year, a month or a day (https://www.w3.org/TR/NOTE-datetime). */
const PERIOD = /^\d{4}(?:-\d\d){0,2}$/

/** Matches a time without a zone, which is read as UTC. */
const WITHOUT_ZONE = /^\d{4}-\d\d-\d\dT[\d:.]+$/

/**
 * Returns a function that returns whether an entry was last modified before a time. It returns false if that is unknown.
 * @param since milliseconds since 1970
 */
export function isOlderThan(since: number): (entry: SitemapEntry) => boolean {
  const date = new Date(since).toISOString()
  return ({ modified = '' }) => {
    // It may have been modified at the end of the period.
    if (PERIOD.test(modified)) return modified < date.slice(0, modified.length)
    return Date.parse(WITHOUT_ZONE.test(modified) ? `${modified}Z` : modified) < since
  }
}
