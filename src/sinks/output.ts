import type { Delivery } from '../records/delivery.ts'
import type { Positions } from '../state/ledger.ts'

/** What an output tells the crawl that writes to it. */
export interface OutputEvents {
  /** There is room again. */
  drained(): void
  /** The reader has gone and wants no more, as `head` does: no error. */
  closed(): void
  failed(error: Error): void
}

/** What is written to in one order, by one writer. */
interface Outlet<T> {
  /** To be called once, before anything is written. */
  open(events: OutputEvents): void
  write(items: readonly T[]): void
  /** True when the reader is slow: write what is there, and start nothing new until `drained`. */
  readonly congested: boolean
  /**
   * Resolves when all that was written so far would survive the end of the process, and for a file a
   * power cut, to where the files stand that are cut back when a crawl is resumed.
   */
  sync(): Promise<Positions>
  /** Resolves when all is written. */
  close(): Promise<void>
}

/** Where text goes: stdout or a file. */
export type Sink = Outlet<string>

/** Where visits go, in the order in which they are settled. One writer: the coordinator. */
export interface Output extends Outlet<Delivery> {
  /**
   * To be called once, after the last visit: writes what belongs behind it, such as a footer, and
   * files that are made at the end. What `sync` says of files then is still where the visits end.
   */
  finish(): Promise<void>
}
