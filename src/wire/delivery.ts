/** What settling a URL gives to the outputs. */
export interface Delivery {
  /** The visit, encoded as one line. */
  readonly record: string
}
