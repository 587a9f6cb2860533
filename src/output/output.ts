import type { Delivery } from '../records/visit-attachments.ts'
import type { Positions } from '../state/ledger.ts'

/** Events that an output reports to the crawl. */
export interface OutputEvents {
  /** The output accepts visits again. */
  drained(): void
  /** The reader has closed the output, as `head` does. This is not an error. */
  closed(): void
  failed(error: Error): void
}

/** A destination of items, which keeps their order. It has one writer. */
interface Destination<T> {
  /** Must be called once, before any write. */
  open(events: OutputEvents): void
  write(items: readonly T[]): void
  /** True while the reader is slow. Finished items may still be written, but no new work may begin until `drained`. */
  readonly congested: boolean
  /**
   * Resolves when everything written so far survives the end of the process and, in a file, a power
   * cut. The result has the length of each file, to which resuming truncates it.
   */
  sync(): Promise<Positions>
  /** Resolves when everything is written. */
  close(): Promise<void>
}

/** A destination of text: stdout or a file. */
export type Sink = Destination<string>

/**
 * A destination of visits, in the order in which they are settled. Only the coordinator writes to
 * it.
 */
export interface Output extends Destination<Delivery> {
  /**
   * Writes a footer, and files that are made at the end. Must be called once, after the last visit.
   * The lengths that `sync` returns afterwards don't include the footer.
   */
  finish(): Promise<void>
}
