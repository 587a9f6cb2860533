import type { CrawlProgress } from '../../state/ledger.ts'

/** Makes a crawl durable from time to time, so that it outlives the process. */
export interface Checkpointer {
  /** @param failed called when the crawl can't be made durable any more */
  start(failed: (error: unknown) => void): Promise<void>
  /** Writes the final state. Must be called when nothing happens any more. @param progress how the crawl ended */
  end(progress: CrawlProgress): Promise<void>
  /** Resolves when nothing is being written any more; may be called twice. */
  stop(): Promise<void>
  /** Called last. If `end` was not called, the crawl has failed, or the reader of an output has gone. */
  close?(): Promise<void>
}
