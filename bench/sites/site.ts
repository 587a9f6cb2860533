/** A site that nginx serves from files. */
export interface SiteFiles {
  readonly name: string
  /** Folder of its files. */
  readonly root: string
  /** Path of the page that crawls start from. */
  readonly seed: string
  /** The way in which crawlers reach the site, if not plain HTTP: over TLS, or with each response after 50 ms. */
  readonly access?: 'tls' | 'slow'
  /** True if its figures are in a section of their own in bench/README.md, so it can be measured separately. */
  readonly hasSection?: boolean
}

/** A site that is being served. */
export interface Site extends SiteFiles {
  /** `http://127.0.0.1:41234` */
  readonly origin: string
  /** The origin of the same pages over plain HTTP without latency. */
  readonly direct: string
}
