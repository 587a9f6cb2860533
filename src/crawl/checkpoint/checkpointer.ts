import type { CrawlProgress } from '../../state/ledger.ts'

/** Makes what has happened outlive the process, again and again. */
export interface Checkpointer {
  /** @param failed told when that is not possible any more */
  start(failed: (error: unknown) => void): Promise<void>
  /** Nothing happens any more: the last time. @param progress how the crawl ended */
  end(progress: CrawlProgress): Promise<void>
  /** Resolves when nothing is being kept any more; may be called again. */
  stop(): Promise<void>
}
