import type { Output } from '../sinks/output.ts'
import type { CrawlState } from './crawl-state.ts'

/** Closes what a crawl writes to. */
export async function close(
  { directory, frontier, joined, memory, skips }: CrawlState,
  output: Output,
): Promise<void> {
  try {
    // What a later run or another process goes on with is not left out.
    if (directory === undefined && joined === undefined) {
      await skips.noteLeftOvers(frontier.unfinished, frontier.snapshot.leftOvers())
    }
    await output.close()
    await skips.close()
  } finally {
    memory.close()
    // Last, for with it goes the lock.
    frontier.close()
    joined?.queue.close()
  }
}
