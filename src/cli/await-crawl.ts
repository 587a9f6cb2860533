import type { RunningCrawl } from '../crawl/start-crawl.ts'
import type { Summary } from '../crawl/stats/stats.ts'
import { countOf } from '../english-text.ts'
import type { Logger } from '../logger.ts'
import type { CliContext } from './cli-context.ts'
import { EXIT_CODE } from './exit-code.ts'
import type { CrawlDisplay } from './terminal/crawl-display.ts'
import { printMessage } from './terminal/print.ts'

/** Waits for the end of a crawl, shows its progress and handles interrupts. */
export async function awaitCrawl(
  crawl: RunningCrawl,
  display: CrawlDisplay,
  context: CliContext,
): Promise<Summary> {
  const release = stopOnInterrupt(crawl, context, display.logger)
  let summary: Summary | undefined
  try {
    display.begin(crawl)
    summary = await crawl.finished
    return summary
  } finally {
    release()
    display.end(summary)
  }
}

/**
 * Stops the crawl on the first interrupt, after the requests in flight. The second interrupt ends the
 * process at once.
 */
function stopOnInterrupt(crawl: RunningCrawl, context: CliContext, logger: Logger): () => void {
  let interrupted = false
  return context.onInterrupt(() => {
    if (interrupted) context.exit(EXIT_CODE.interrupted)
    interrupted = true
    const { inFlight } = crawl.stats()
    logger.warn(
      `Stopping: ${countOf(inFlight, 'request')} in flight; interrupt again to end at once`,
    )
    crawl.stop()
  })
}

/** Returns the exit code for a crawl that has ended. If no seed was answered, prints why. */
export function exitCodeOf(summary: Summary, context: CliContext): number {
  const { givenUp, login, reason, seedsAnswered, seedFailures } = summary
  if (reason === 'stopped') return EXIT_CODE.interrupted
  if (reason === 'output-closed') return EXIT_CODE.done
  if (seedsAnswered > 0 || seedFailures.length === 0) {
    if (givenUp.hadAnswered > 0) return EXIT_CODE.hostGivenUp
    return (login?.lost ?? 0) > 0 ? EXIT_CODE.loginLost : EXIT_CODE.done
  }
  for (const { url, reason: why } of seedFailures) {
    printMessage(`${url}: ${why}`, context, EXIT_CODE.noSeed)
  }
  return EXIT_CODE.noSeed
}
