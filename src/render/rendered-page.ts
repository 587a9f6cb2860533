import type { ResponseHeaders } from '../fetch/fetcher.ts'
import type { Screenshot } from '../records/visit-attachments.ts'

/** A fetched page that a browser will render. */
export interface FetchedPage {
  /** With its fragment if that is a route. */
  readonly url: string
  readonly headers: ResponseHeaders
  /** The decoded body. */
  readonly body: Uint8Array
  /** True if the page is read again only for its links, and gets no record. */
  readonly isReread?: true | undefined
}

/** A link that only the browser shows. */
export interface RenderedLink {
  /** Absolute. */
  readonly href: string
  readonly rel?: string
}

/** A page after its scripts ran. */
export interface RenderedPage {
  /** The tree as HTML, in UTF-8. */
  readonly html: Uint8Array
  /** Links outside the tree of the page: of shadow roots and frames, and URLs that scripts navigated to. */
  readonly links: readonly RenderedLink[]
  /** Milliseconds that rendering took. */
  readonly ms: number
  /** The screenshot of the page, if an output saves screenshots. */
  readonly screenshot?: Screenshot
}

/** A response to a request of a page, or the reason why there is none. */
export type ResourceReply =
  | {
      readonly status: number
      readonly headers: ResponseHeaders
      /** The decoded body. */
      readonly body: Uint8Array
    }
  | { readonly refused: string }

/** Headers of a browser's request, which are sent to the server, too. Names are in lower case. */
export type ResourceHeaders = Readonly<Record<string, string>>

/** A request of a page for a resource. */
export interface ResourceLoad {
  readonly url: string
  readonly headers: ResourceHeaders
  /** True if it is to another site, or from a frame of one. Then it must not carry the cookies and secrets of the crawl. */
  readonly isCrossSite: boolean
}

/** Fetches a resource for a page, like any other URL of the crawl: robots.txt, delays and limits apply. */
export type LoadResource = (load: ResourceLoad) => Promise<ResourceReply>

/** Thrown when a page could not be rendered. */
export class RenderFailure extends Error {
  /** True if another attempt may succeed: the page crashed, or the browser did. */
  readonly isCrash: boolean

  constructor(message: string, isCrash = false) {
    super(message)
    this.isCrash = isCrash
  }
}
