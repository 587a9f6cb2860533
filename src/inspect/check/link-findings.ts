/** Problems of links. */
export const LINK_PROBLEMS = ['broken', 'fragment', 'redirect'] as const
export type LinkProblem = (typeof LINK_PROBLEMS)[number]

/** A problem of one link. */
export interface LinkFinding {
  /**
   * `broken`: the link leads to no usable response; `fragment`: the page exists, but not the place
   * in it; `redirect`: the link redirects to a working URL.
   */
  readonly problem: LinkProblem
  /** The page with the link; for a broken seed, the seed itself. */
  readonly from: string
  /** The URL of the link, with its fragment. An invalid URL is as written in the page. */
  readonly to: string
  /** True if the page uses the URL as an image. */
  readonly image?: true
  /** Status of the URL itself, even if it redirects. */
  readonly status?: number
  /** Final target of the redirects. */
  readonly redirectsTo?: string
  /** Status of the final target, if it is broken. */
  readonly finalStatus?: number
  readonly error?: { readonly code: string; readonly message: string }
}
