import { adviceOnOtherCrawl, findJob, type JoinableJob } from '../../cluster/join-job.ts'
import type { Config } from '../../config/schema.ts'
import { correctVisitTimes, resumeAdvice } from '../../crawl/checkpoint/revisit-rounds.ts'
import { type RunningCrawl, startCrawl } from '../../crawl/start-crawl.ts'
import { openMetrics } from '../../crawl/stats/metrics.ts'
import { CrawlerError } from '../../errors.ts'
import { checkContinuedFiles } from '../../formats/check-continued-files.ts'
import { formatWarnings } from '../../formats/choose-format.ts'
import { type OpenOutputs, openOutputs } from '../../formats/open-outputs.ts'
import type { Logger } from '../../logger.ts'
import { isPipe } from '../../output/file-identity.ts'
import { stateError } from '../../state/explain-state-error.ts'
import { checkOwnFiles, isOwnFile } from '../../state/own-files.ts'
import { checkResumeSettings, commitSettings, storeSettings } from '../../state/resume-settings.ts'
import { StateDirectory } from '../../state/state-directory.ts'
import { awaitCrawl, exitCodeOf } from '../await-crawl.ts'
import type { CliContext } from '../cli-context.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { refuseOverwritingInputs } from '../files/refuse-overwriting-inputs.ts'
import { isFinished, printFinished } from '../finished-crawl.ts'
import type { CrawlFlags } from '../options/crawl-options.ts'
import { inputFiles, type ResumedSettings, readSettings } from '../options/read-settings.ts'
import { readSeeds } from '../options/seeds-file.ts'
import { checkFileNames } from '../options/typed-values.ts'
import { type CrawlDisplay, openCrawlDisplay } from '../terminal/crawl-display.ts'
import { printMessage } from '../terminal/print.ts'
import { dryRun } from './dry-run.ts'

/** Time that a reader of a pipe has to open it, before a warning names the pipe. */
const PIPE_PATIENCE_MS = 1_000

/** Runs `crawl [seed-url...]`. Returns the exit code. */
export async function runCrawl(
  seeds: readonly string[],
  flags: CrawlFlags,
  context: CliContext,
): Promise<number> {
  if (flags.dryRun === true) return dryRun(seeds, flags, context)
  let directory: StateDirectory | undefined
  try {
    const listed = await readSeeds(flags.seeds, context.stdin)
    checkFileNames({ '--state': flags.state })
    directory = openState(flags.state, flags.force)
    const resumed = directory && storedSettings(directory)
    const { environment, messageForm } = context
    const sources = { resumed, listed, environment, messageForm }
    const { config, input, given } = await readSettings(seeds, flags, sources)
    refuseOverwriting(config, flags)
    directory ??= openState(config.state, config.force)
    checkRounds(config)
    if (directory !== undefined) {
      directory.followMovedFiles(config)
      checkOwnFiles(directory, config, given)
      checkResumeSettings(directory, config, resumeAdvice)
      correctVisitTimes(directory)
      storeSettings(directory, config, input)
    }
    if (directory !== undefined && isFinished(directory, config, context)) {
      if (config.force) commitChanges(directory, config)
      // A quiet log level counts only if this command set it, not if it was stored with the crawl.
      if (!given.has('logLevel') || !isQuiet(config)) printFinished(directory, config, context)
      return EXIT_CODE.done
    }
    return await crawlToTheEnd(config, directory, context)
  } catch (cause) {
    throw directory === undefined ? cause : stateError(directory.path, cause)
  } finally {
    directory?.close()
  }
}

/** @throws CrawlerError('usage') if an output would overwrite a file that the crawl reads */
function refuseOverwriting(config: Config, flags: CrawlFlags): void {
  const { output, skipped, links } = config
  const inputs = inputFiles(flags, config)
  for (const name of [...output, skipped, links])
    if (name !== undefined) refuseOverwritingInputs(inputs, name)
}

function openState(name: string | undefined, force?: boolean): StateDirectory | undefined {
  return name === undefined ? undefined : StateDirectory.open(name, force)
}

function storedSettings(directory: StateDirectory): ResumedSettings | undefined {
  const { hasGivenSeeds, path, saved } = directory
  if (saved === undefined) return undefined
  const isOwn = (name: string) => isOwnFile(saved.ledger, name)
  return { name: path, settings: saved.input, isOwnFile: isOwn, hasGivenSeeds }
}

function checkRounds({ revisitAfter, retryFailed, state }: Config): void {
  const isRound = revisitAfter !== undefined || retryFailed
  if (!isRound || state !== undefined) return
  const flag = retryFailed ? '--retry-failed' : '--revisit-after'
  const message = `${flag}: expected --state with it, the directory of the earlier visits, got none`
  throw new CrawlerError('usage', message)
}

/**
 * Commits changed settings for later rounds of a finished crawl.
 * @throws CrawlerError('state') if a round would continue a file in another form
 */
function commitChanges(directory: StateDirectory, config: Config): void {
  checkContinuedFiles(config, directory)
  commitSettings(directory)
}

/** Returns whether only errors are logged, as with `-q`. */
function isQuiet({ logLevel }: Config): boolean {
  return ['error', 'fatal', 'silent'].includes(logLevel)
}

async function crawlToTheEnd(
  config: Config,
  directory: StateDirectory | undefined,
  context: CliContext,
): Promise<number> {
  const display = await openCrawlDisplay(config, context)
  const { logger } = display
  const metrics = await openMetrics(config.metrics)
  const release = context.onInterrupt(() => context.exit(EXIT_CODE.interrupted))
  try {
    const job = await findJob(config, logger)
    if (job?.isFinished === true) {
      const message = `job ${job.name} is finished; ${adviceOnOtherCrawl(job.name)}`
      if (!isQuiet(config)) printMessage(message, context)
      job.close()
      return EXIT_CODE.done
    }
    const started = await begin(config, { directory, job }, display)
    // A crawl that has started ends by itself, and deletes its empty files.
    release()
    metrics?.watch(started.crawl)
    return await completeCrawl(started, { directory, job }, display, context)
  } finally {
    release()
    metrics?.close()
  }
}

/**
 * Waits for the end of a crawl. Deletes its empty output files if it has no result, so that they don't block the next
 * crawl.
 */
async function completeCrawl(
  { crawl, discard, describeMirror }: StartedCrawl,
  origin: CrawlOrigin,
  display: CrawlDisplay,
  context: CliContext,
): Promise<number> {
  const cleanUp = async (reason: unknown) => {
    if (isWithoutResult(crawl, origin, reason)) await discard().catch(() => {})
  }
  const exit = (code: number) => void cleanUp('stopped').finally(() => context.exit(code))
  let reason: unknown
  try {
    const summary = await awaitCrawl(crawl, display, { ...context, exit })
    reason = summary.reason
    const mirror = describeMirror()
    if (mirror !== undefined) display.logger.info(mirror)
    return exitCodeOf(summary, context)
  } catch (error) {
    reason = error
    throw error
  } finally {
    await cleanUp(reason)
  }
}

/**
 * Returns whether a crawl leaves nothing to keep: it could not start, for example because of a wrong password, it was
 * stopped before its first visit, or it ended before its first commit to a state directory, which is then removed, too.
 * @param reason for the end of the crawl, or its error
 */
function isWithoutResult(
  crawl: RunningCrawl,
  { directory, job }: CrawlOrigin,
  reason: unknown,
): boolean {
  if (!crawl.hasBegun() || directory?.holdsCrawl === false) return true
  const isKept = directory !== undefined || job !== undefined
  const isUsage = reason instanceof CrawlerError && reason.kind === 'usage'
  return (isUsage || (reason === 'stopped' && !isKept)) && crawl.stats().visits === 0
}

/** The state directory or the job that a crawl belongs to. */
interface CrawlOrigin {
  readonly directory: StateDirectory | undefined
  readonly job: JoinableJob | undefined
}

interface StartedCrawl extends Omit<OpenOutputs, 'outputs'> {
  readonly crawl: RunningCrawl
}

async function begin(
  config: Config,
  { directory, job }: CrawlOrigin,
  { stdout, hasColors, shown, logger }: CrawlDisplay,
): Promise<StartedCrawl> {
  try {
    const opening = openOutputs(config, stdout, directory, hasColors)
    const { outputs, ...opened } = await withPipesNamed(opening, config, logger)
    for (const warning of formatWarnings(config)) logger.warn(warning)
    try {
      return { crawl: startCrawl(config, { ...outputs, job, shown }, logger), ...opened }
    } catch (error) {
      await opened.discard()
      throw error
    }
  } catch (error) {
    job?.close()
    throw error
  }
}

/** Warns which outputs are pipes if opening them takes long: opening a pipe waits for its reader. */
async function withPipesNamed<T>(
  opening: Promise<T>,
  { output, links, skipped }: Config,
  logger: Logger,
): Promise<T> {
  const names = [...output, links ?? '-', skipped ?? '-']
  const pipes = names.filter((name) => name !== '-' && isPipe(name))
  const warn = () => logger.warn(`Waiting for a reader of ${pipes.join(' and ')}`)
  const timer = pipes.length > 0 ? setTimeout(warn, PIPE_PATIENCE_MS) : undefined
  try {
    return await opening
  } finally {
    clearTimeout(timer)
  }
}
