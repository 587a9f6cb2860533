import {
  adviceOn,
  type Config,
  CrawlerError,
  checkOwnFiles,
  countFailed,
  isAtEnd,
  isOwnFile,
  type JoinedJob,
  joinJob,
  openMetrics,
  openOutputs,
  type RunningCrawl,
  StateDirectory,
  settle,
  startCrawl,
  stateError,
} from '../index.ts'
import { EXIT_CODE } from './exit-code.ts'
import { exitCodeOf, follow } from './follow.ts'
import { tell, tellError } from './print.ts'
import type { Flags } from './program.ts'
import { readSeeds } from './seeds-file.ts'
import { type KeptSettings, readSettings } from './settings.ts'
import { openTelling, type Telling } from './telling.ts'
import type { World } from './world.ts'

/** Crawls as the flags say; gives the exit code. What goes wrong is told on stderr, in a line each. */
export async function runCrawl(
  seeds: readonly string[],
  flags: Flags,
  world: World,
): Promise<number> {
  let directory: StateDirectory | undefined
  try {
    const more = flags.seeds === undefined ? [] : await readSeeds(flags.seeds, world.stdin)
    directory = openState(flags.state, flags.force)
    const kept = directory && keptSettings(directory)
    const background = { kept, environment: world.environment }
    const { config, input, given } = await readSettings([...seeds, ...more], flags, background)
    directory ??= openState(config.state, config.force)
    checkRounds(config)
    if (directory !== undefined) {
      checkOwnFiles(directory, config, given)
      settle(directory, config, input, adviceOn)
    }
    if (directory !== undefined && isAtEnd(directory, config)) {
      return tellEnd(directory, config, world)
    }
    return await crawlToTheEnd(config, directory, world)
  } catch (cause) {
    return tellError(directory === undefined ? cause : stateError(directory.path, cause), world)
  } finally {
    directory?.close()
  }
}

function openState(name: string | undefined, force?: boolean): StateDirectory | undefined {
  return name === undefined ? undefined : StateDirectory.open(name, force)
}

function keptSettings(directory: StateDirectory): KeptSettings | undefined {
  const { path, saved } = directory
  const isOwn = (name: string) => isOwnFile(directory, name)
  return saved && { name: path, settings: saved.input, isOwnFile: isOwn }
}

function checkRounds({ revisitAfter, retryFailed, state }: Config): void {
  const isRound = revisitAfter !== undefined || retryFailed
  if (!isRound || state !== undefined) return
  const flag = retryFailed ? '--retry-failed' : '--revisit-after'
  const message = `${flag}: expected --state beside it, which knows the visits, got none`
  throw new CrawlerError('usage', message)
}

function tellEnd(directory: StateDirectory, config: Config, world: World): number {
  const { path, saved } = directory
  const visits = `${saved?.ledger.tally.visits} visits`
  const failed = countFailed(directory)
  const hint = failed > 0 ? `; ${failed} URLs failed that --retry-failed visits again` : ''
  tell(`${path}: this crawl is finished, with ${visits}${noneDue(config)}${hint}`, world)
  return EXIT_CODE.done
}

function noneDue({ revisitAfter, retryFailed }: Config): string {
  if (revisitAfter !== undefined) return ', none of which is due'
  return retryFailed ? ', none of which failed for a reason that may have passed' : ''
}

async function crawlToTheEnd(
  config: Config,
  directory: StateDirectory | undefined,
  world: World,
): Promise<number> {
  const telling = await openTelling(config, world)
  const { logger } = telling
  const metrics = config.metrics === undefined ? undefined : await openMetrics(config.metrics)
  try {
    const joined = await joinJob(config, logger)
    if (joined?.job.state === 'finished') return tellJobEnd(joined, world)
    const crawl = await begin(config, { directory, joined }, telling)
    metrics?.watch(crawl)
    return exitCodeOf(await follow(crawl, telling, world), world)
  } finally {
    metrics?.close()
  }
}

function tellJobEnd({ job }: JoinedJob, world: World): number {
  job.close()
  tell(`job ${job.name}: is finished`, world)
  return EXIT_CODE.done
}

/** What a crawl is a part of, or goes on from. */
interface Whole {
  readonly directory: StateDirectory | undefined
  readonly joined: JoinedJob | undefined
}

async function begin(
  config: Config,
  { directory, joined }: Whole,
  { stdout, shown, logger }: Telling,
): Promise<RunningCrawl> {
  try {
    const { outputs, discard } = await openOutputs(config, stdout, directory)
    try {
      return startCrawl(config, { ...outputs, joined, shown }, logger)
    } catch (error) {
      await discard()
      throw error
    }
  } catch (error) {
    joined?.job.close()
    throw error
  }
}
