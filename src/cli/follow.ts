import type { Logger, RunningCrawl, Summary } from '../index.ts'
import { EXIT_CODE } from './exit-code.ts'
import { tell } from './print.ts'
import type { Telling } from './telling.ts'
import type { World } from './world.ts'

/** Stays with a crawl to its end: tells how far it is, and heeds interrupts. */
export async function follow(
  crawl: RunningCrawl,
  telling: Telling,
  world: World,
): Promise<Summary> {
  const release = stopOnInterrupt(crawl, world, telling.logger)
  let summary: Summary | undefined
  try {
    telling.begin(crawl)
    summary = await crawl.finished
    return summary
  } finally {
    release()
    telling.end(summary)
  }
}

/** The first interrupt lets what is in flight come to its end, the second one doesn't wait. */
function stopOnInterrupt(crawl: RunningCrawl, world: World, logger: Logger): () => void {
  let interrupted = false
  return world.onInterrupt(() => {
    if (interrupted) world.exit(EXIT_CODE.interrupted)
    interrupted = true
    const { inFlight } = crawl.stats()
    logger.warn(`Stopping: ${inFlight} requests in flight; interrupt again to end at once`)
    crawl.stop()
  })
}

/** What a crawl that has ended gives to the caller of the process. */
export function exitCodeOf(summary: Summary, world: World): number {
  const { givenUp, reason, seedsAnswered, seedFailures } = summary
  if (reason === 'stopped') return EXIT_CODE.interrupted
  if (reason === 'output-closed') return EXIT_CODE.done
  if (seedsAnswered > 0 || seedFailures.length === 0) {
    return givenUp.hadAnswered > 0 ? EXIT_CODE.hostGivenUp : EXIT_CODE.done
  }
  for (const failure of seedFailures) tell(`${failure.url}: ${failure.reason}`, world)
  return EXIT_CODE.noSeed
}
