import type { Exchange } from './warc-record.ts'

/** What settling a URL gives to the outputs. */
export interface Delivery {
  /** The visit, encoded as one line. */
  readonly record: string
  /** Links of the page inside the scope, canonical, each once, by `packLinks`; where an output asks. */
  readonly outlinks?: Uint8Array
  /** Request and answer, where an output asks. */
  readonly exchange?: Exchange
}
