/** A URL in a value, and where it stands there. */
export interface PlacedUrl {
  readonly url: string
  readonly start: number
}
