/** A request for the robots.txt of an origin. */
export interface RobotsAsk {
  readonly origin: string
  readonly url: string
  /** Redirects that led to the URL. */
  readonly redirects: number
}
