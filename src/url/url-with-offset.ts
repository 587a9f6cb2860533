/** A URL inside an attribute value, with its position. */
export interface UrlWithOffset {
  readonly url: string
  readonly start: number
}
