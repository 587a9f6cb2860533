/** A URL inside an attribute value, with its position. */
export interface PlacedUrl {
  readonly url: string
  readonly start: number
}
