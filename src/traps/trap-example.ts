// A file of its own, since the types of the library include it, and the package ships all types that it imports.

/** A pattern whose URLs were dropped. */
export interface TrapExample {
  /** Host and path pattern. */
  readonly pattern: string
  /** The first URL that was dropped. */
  readonly example: string
  /** Number of URLs that were dropped. */
  readonly dropped: number
}
