import type { IncomingFile } from './incoming-file.ts'
import type { VisitRecord } from './visit-record.ts'

/**
 * Parts of the link graph besides the targets of links: either their texts, or the anchors of pages and which links are
 * images.
 */
export type LinkGraph = 'texts' | 'anchors'

/** The links of a page. */
export interface PageLinks {
  /** Canonical URL of the page. */
  readonly from: string
  /** The targets of its links, each once: canonical URLs, in or out of scope, with their fragments. */
  readonly to: readonly string[]
  /** The text of each of these links, empty if it has none; with `texts`. */
  readonly texts?: readonly string[]
  /** Links that aren't valid URLs, as written, shortened. */
  readonly invalid: readonly string[]
  /** The images among `to` and `invalid`; with `anchors`. */
  readonly images?: readonly string[]
  /** Names that fragments of links to this page may have; with `anchors`, if all of them are known. */
  readonly anchors?: readonly string[] | undefined
}

/** The file of a screenshot, the reason why it can't be written, or the reason why the browser has taken none. */
export type Screenshot = IncomingFile | { readonly missing: string }

/** A request and its response as archive records. */
export interface ArchivedExchange {
  /** `WARC-Record-ID` of the response. */
  readonly id: string
  readonly url: string
  /** `WARC-Date`: the time of the request. */
  readonly date: string
  /** `WARC-IP-Address`; undefined if a proxy was used. */
  readonly server?: string | undefined
  readonly status: number
  /** Content-Type without parameters; empty if there was none. */
  readonly mime: string
  /** Digest of the body as it was received. */
  readonly payloadDigest: string
  /** True if a later response with the same body may refer to this one. */
  readonly isWhole: boolean
  /** Status line and header of the response. */
  readonly head: Uint8Array
  /** The records, each a member of gzip. */
  readonly response: Uint8Array
  readonly request: Uint8Array
  /** The page as its scripts left it, if it was rendered. */
  readonly rendered?: Uint8Array
}

/** The kind of image, by the first bytes of a body: made of pixels, an SVG, or no known image. */
export type ImageKind = 'pixels' | 'svg' | 'other'

/** Data that a worker sends to outputs besides the fields of the record. */
export interface Attachments {
  /** Links of the page inside the scope, each once, packed by `packLinks`; if an output needs them. */
  readonly outlinks?: string | undefined
  /** Request and response; if an output archives them. */
  readonly exchange?: ArchivedExchange | undefined
  /** Requests of rendered pages and their responses, of this page or of others; if an output archives them. */
  readonly resources?: readonly ArchivedExchange[] | undefined
  /** The decoded body; if an output saves bodies, and the status is 200. */
  readonly body?: IncomingFile | undefined
  /** The screenshot of the page, if it was rendered and an output saves screenshots. */
  readonly screenshot?: Screenshot | undefined
  /** The links of an HTML page or a sitemap; if an output needs the link graph. */
  readonly pageLinks?: PageLinks | undefined
  /** The kind of image of a response that isn't a page; if an output needs to know the images of pages. */
  readonly imageKind?: ImageKind | undefined
}

/** A visit, as it is passed to outputs. */
export interface Delivery extends Attachments {
  readonly record: VisitRecord
}
