/** A site that nginx serves from files. */
export interface SiteFiles {
  readonly name: string
  /** Folder of its files. */
  readonly root: string
  /** Path of the page that crawls start from. */
  readonly seed: string
  /** How crawlers reach it, if not by plain HTTP: over TLS, or with each answer after 50 ms. */
  readonly access?: 'tls' | 'slow'
}

/** A site that is being served. */
export interface Site extends SiteFiles {
  /** `http://127.0.0.1:41234` */
  readonly origin: string
  /** The same pages over plain HTTP, at once. */
  readonly direct: string
}
