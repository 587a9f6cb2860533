/** Certificates that a crawl trusts and shows, as text (PEM). Plain data that can be sent to a thread. */
export interface TlsCertificates {
  /** Trusted beside those of the system. */
  readonly authorities?: string
  /** Shown to the origins of the seeds, if they ask for one. */
  readonly client?: ClientCertificate
}

/** A certificate and its key, which is not encrypted. */
export interface ClientCertificate {
  readonly certificate: string
  readonly key: string
}
