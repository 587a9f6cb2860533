// A file of its own, since the types of the library include it, and the package ships all types that it imports.

/** A page that redirected to the login page. */
export interface LostPage {
  readonly url: string
  readonly redirectsTo: string
}

/** The number of renewed logins of a crawl, and of URLs that it lost to the login page. */
export interface LoginCounts {
  /** Number of times that the crawl logged in again. */
  readonly renewals: number
  /** Number of URLs that redirected to the login page and were not fetched again. */
  readonly lost: number
  /** The first lost page. */
  readonly first?: LostPage
}
