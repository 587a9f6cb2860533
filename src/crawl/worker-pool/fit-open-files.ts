import { readdirSync } from 'node:fs'
import { localConfig } from '../../cluster/local-config.ts'
import type { Config } from '../../config/schema.ts'
import { countOf } from '../../english-text.ts'
import { CrawlerError } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { openFileLimit } from '../../runtime/process-limits.ts'
import { isOnDisk } from '../../seen/seen-set-lifecycle.ts'
import type { FittedConfig } from './fitted-config.ts'

/** Files that the main thread opens later: databases, snapshots, parts of the program. */
const MAIN_FILES = 10
/** Files of a worker: those of its thread, a temporary file, a name look-up, and some that are open for a moment. */
const WORKER_FILES = 9
/** Files of a seen set on disk. */
const SEEN_FILES = 3
/** Minimum number of requests in flight that is worth a thread. */
const MIN_REQUESTS = 4

interface OpenFiles {
  readonly limit: number
  /** Number of files that are open now. */
  readonly open: number
}

/**
 * Reduces workers and requests in flight to what the limit of open files allows, and logs a warning. Must be called
 * when outputs are open, since it counts open files.
 * @throws CrawlerError('usage') if there is no room for a single request
 */
export function fitOpenFiles(config: Config, logger: Logger, files = currentFiles()): FittedConfig {
  if (files === undefined) return config
  const { limit, open } = files
  const ofWorker = WORKER_FILES + (isOnDisk(localConfig(config).seen) ? SEEN_FILES : 0)
  const socketsFor = (workers: number) =>
    Math.floor((limit - open - MAIN_FILES) / workers) - ofWorker
  const least = Math.min(config.concurrency, MIN_REQUESTS)
  let { workers } = config
  while (workers > 1 && socketsFor(workers) < least) workers--
  const maxSockets = socketsFor(workers)
  if (maxSockets < 1) throw tooFew(limit, open + MAIN_FILES + ofWorker + 1)
  const concurrency = Math.min(config.concurrency, maxSockets)
  const fitted = { ...config, workers, concurrency, maxSockets }
  if (workers < config.workers || concurrency < config.concurrency)
    warn(config, fitted, limit, logger)
  return fitted
}

function currentFiles(): OpenFiles | undefined {
  const limit = openFileLimit()
  return limit === undefined ? undefined : { limit, open: readdirSync('/proc/self/fd').length }
}

function tooFew(limit: number, least: number): CrawlerError {
  const message = `the limit of open files (ulimit -n): expected at least ${least} for this crawl, got ${limit}`
  return new CrawlerError('usage', message)
}

function warn(wanted: Config, fitted: Config, limit: number, logger: Logger): void {
  const { workers, concurrency } = fitted
  logger.warn(
    { openFiles: limit, workers, concurrency },
    `The limit of open files (ulimit -n) is ${limit}: ${inFlight(fitted)} instead of ${inFlight(wanted)}`,
  )
}

function inFlight({ workers, concurrency }: Config): string {
  return `${countOf(workers, 'worker')} with ${countOf(concurrency, 'request')} in flight each`
}
