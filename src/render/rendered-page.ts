/** Response headers by name, in lower case. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** A page that was fetched, to be shown in a browser. */
export interface FetchedPage {
  /** With the fragment, where it is a route. */
  readonly url: string
  readonly headers: Headers
  /** The decoded body. */
  readonly body: Uint8Array
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
  /** Links outside the tree of the page: of shadow roots and frames, and where scripts went. */
  readonly links: readonly RenderedLink[]
  /** Milliseconds. */
  readonly ms: number
}

/** A response to a request of a page, or why there is none. */
export type ResourceReply =
  | {
      readonly status: number
      readonly headers: Headers
      /** The decoded body. */
      readonly body: Uint8Array
    }
  | { readonly refused: string }

/**
 * Fetches what a page loads, as the crawl fetches anything: robots.txt, delays and limits apply.
 * @param origin value of the header Origin; undefined where browsers send none
 */
export type LoadResource = (url: string, origin: string | undefined) => Promise<ResourceReply>

/** A page could not be shown. */
export class RenderFailure extends Error {
  /** True if another attempt may succeed: the page crashed, or the browser did. */
  readonly isCrash: boolean

  constructor(message: string, isCrash = false) {
    super(message)
    this.isCrash = isCrash
  }
}
