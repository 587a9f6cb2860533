/** A host that is given up. Users of the library see it in the summary, so this file must not import others. */
export interface FailedHost {
  /** Host and port. */
  readonly key: string
  readonly reason: string
  /** Number of its URLs that wait, and are not fetched. */
  readonly waiting: number
  /** True if it has ever answered. */
  readonly hasAnswered: boolean
}
