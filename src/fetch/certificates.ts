/** The certificates that a crawl trusts and presents, as text (PEM). Plain data that can be sent to a thread. */
export interface TlsCertificates {
  /** Certificates that are trusted in addition to those of the system. */
  readonly authorities?: string
  /** The certificate that is presented to the origins of the seeds, if they request one. */
  readonly client?: ClientCertificate
}

/** A certificate and its unencrypted key. */
export interface ClientCertificate {
  readonly certificate: string
  readonly key: string
}
