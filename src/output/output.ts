import type { Delivery } from '../records/visit-attachments.ts'
import type { Positions } from '../state/ledger.ts'

/** Events that an output reports to the crawl. */
export interface OutputEvents {
  /** It accepts visits again. */
  drained(): void
  /** The reader is gone and wants no more, as `head` does: not an error. */
  closed(): void
  failed(error: Error): void
}

/** A destination for ordered items from one writer. */
interface Destination<T> {
  /** Must be called once, before any write. */
  open(events: OutputEvents): void
  write(items: readonly T[]): void
  /** True while the reader is slow: write what exists, but start nothing new until `drained`. */
  readonly congested: boolean
  /**
   * Resolves when everything written so far would survive the end of the process, and for a file a
   * power cut. Returns the lengths of the files that are cut back on resuming.
   */
  sync(): Promise<Positions>
  /** Resolves when everything is written. */
  close(): Promise<void>
}

/** A destination of text: stdout or a file. */
export type Sink = Destination<string>

/**
 * A destination of visits, in the order in which they are settled. The coordinator is the only
 * writer.
 */
export interface Output extends Destination<Delivery> {
  /**
   * Must be called once, after the last visit: writes a footer, and files that are made at the end.
   * The lengths that `sync` returns afterwards still end with the visits.
   */
  finish(): Promise<void>
}
