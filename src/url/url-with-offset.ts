/** A URL inside an attribute value, and the offset at which it starts. */
export interface UrlWithOffset {
  readonly url: string
  readonly start: number
}
