import { statSync } from 'node:fs'
import { type TextLine, textLines } from '../../compressed-files/text-lines.ts'
import { CrawlerError, foundInstead } from '../../errors.ts'
import { skipKey } from '../../records/skip.ts'
import type { SharedMemory } from '../worker-pool/shared-memory.ts'

/** Number of URLs to add at a time. */
const BATCH = 10_000

/**
 * Marks the URLs in the file of `--skipped` as counted, so that a resumed crawl lists none of them again. Both the file
 * and the counts are those of the last commit.
 * @param signal ends the reading early
 * @throws CrawlerError('output') if the file can't be read
 */
export async function markSkipsCounted(
  file: string,
  memory: Pick<SharedMemory, 'markSkipsCounted'>,
  signal: AbortSignal,
): Promise<void> {
  // A pipe has no lines of earlier runs.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return
  let keys: string[] = []
  for await (const { text, isWhole } of linesOf(file)) {
    const key = isWhole ? keyIn(text) : undefined
    if (key !== undefined) keys.push(key)
    if (keys.length < BATCH) continue
    memory.markSkipsCounted(keys)
    keys = []
    if (signal.aborted) return
  }
  memory.markSkipsCounted(keys)
}

async function* linesOf(file: string): AsyncGenerator<TextLine> {
  try {
    yield* textLines(file)
  } catch (cause) {
    const message = `${file}: expected a readable list of skipped URLs, got ${foundInstead(cause)}`
    throw new CrawlerError('output', message, { cause })
  }
}

/** Returns the key of a line; undefined if it is invalid, since somebody has changed it. */
function keyIn(line: string): string | undefined {
  try {
    const { reason, url } = JSON.parse(line)
    return skipKey({ reason, url })
  } catch {
    return undefined
  }
}
