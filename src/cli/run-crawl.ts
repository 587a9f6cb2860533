import {
  type Config,
  CrawlerError,
  createFileOutput,
  createLogger,
  type FileOutput,
  type Logger,
  type RunningCrawl,
  StreamOutput,
  type Summary,
  startCrawl,
} from '../index.ts'
import { EXIT_CODE, EXIT_CODE_OF } from './exit-code.ts'
import type { Flags } from './program.ts'
import { readSeeds } from './seeds-file.ts'
import { readSettings } from './settings.ts'
import type { World } from './world.ts'

/** Crawls as the flags say; gives the exit code. What goes wrong is told on stderr, in a line each. */
export async function runCrawl(
  seeds: readonly string[],
  flags: Flags,
  world: World,
): Promise<number> {
  try {
    const more = flags.seeds === undefined ? [] : await readSeeds(flags.seeds, world.stdin)
    const config = await readSettings([...seeds, ...more], flags)
    return await crawlToTheEnd(config, world)
  } catch (error) {
    if (!(error instanceof CrawlerError)) throw error
    tell(world, error.message)
    return EXIT_CODE_OF[error.kind]
  }
}

async function crawlToTheEnd(config: Config, world: World): Promise<number> {
  const { stderr } = world
  const logger = await createLogger({
    level: config.logLevel,
    stream: stderr,
    pretty: stderr.isTTY === true,
  })
  const crawl = await begin(config, world, logger)
  const release = stopOnInterrupt(crawl, world, logger)
  try {
    return exitCodeOf(await crawl.finished, world)
  } finally {
    release()
  }
}

async function begin(config: Config, { stdout }: World, logger: Logger): Promise<RunningCrawl> {
  const files: FileOutput[] = []
  const create = async (name: string) => {
    const file = await createFileOutput(name, config.overwrite)
    files.push(file)
    return file
  }
  try {
    const { output, skipped } = config
    if (skipped === '-' || skipped === output) {
      const message = `--skipped: expected a file of its own, got \`${skipped}\``
      throw new CrawlerError('usage', message)
    }
    const visits = output === '-' ? new StreamOutput(stdout, 'stdout', false) : await create(output)
    const outputs = skipped === undefined ? { visits } : { visits, skipped: await create(skipped) }
    return startCrawl(config, outputs, logger)
  } catch (error) {
    await Promise.all(files.map((file) => file.discard()))
    throw error
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

function exitCodeOf({ reason, seedsAnswered, seedFailures }: Summary, world: World): number {
  if (reason === 'stopped') return EXIT_CODE.interrupted
  const isUnread = reason === 'output-closed'
  if (isUnread || seedsAnswered > 0 || seedFailures.length === 0) return EXIT_CODE.done
  for (const failure of seedFailures) tell(world, `${failure.url}: ${failure.reason}`)
  return EXIT_CODE.noSeed
}

/** Sites have a say in some messages: what they say must not move the cursor of a terminal. */
function tell(world: World, message: string): void {
  for (const line of message.split('\n')) {
    world.stderr.write(`crawl: ${line.replace(/\p{Cc}/gu, '\ufffd')}\n`)
  }
}
