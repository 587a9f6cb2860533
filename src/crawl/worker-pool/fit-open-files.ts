import { readdirSync } from 'node:fs'
import type { Config } from '../../config/schema.ts'
import { CrawlerError } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { openFileLimit } from '../../runtime/process-limits.ts'

/** A config, and how many connections each worker may have. */
export type FittedConfig = Config & { readonly maxSockets?: number }

/** Files that the main thread opens later: databases, snapshots, parts of the program. */
const OF_MAIN = 10
/** Files of a worker: what Node opens for a thread, a temporary file, a look-up, what is open for a moment. */
const OF_WORKER = 9
/** Those of a seen set on disk. */
const OF_TABLE = 3
/** Requests in flight that are worth a thread. */
const WORTH_A_THREAD = 4

/** What there is to be shared out. */
interface Files {
  readonly limit: number
  /** Open by now. */
  readonly open: number
}

/**
 * Returns the config with as many workers and requests in flight as the limit of open files has room for;
 * the log tells where that is less than wanted. Call it when outputs are open.
 * @throws CrawlerError('usage') when there is room for none
 */
export function fitOpenFiles(config: Config, logger: Logger, files = filesNow()): FittedConfig {
  if (files === undefined) return config
  const { limit, open } = files
  const ofWorker = OF_WORKER + (keepsTable(config) ? OF_TABLE : 0)
  const socketsFor = (workers: number) => Math.floor((limit - open - OF_MAIN) / workers) - ofWorker
  const least = Math.min(config.concurrency, WORTH_A_THREAD)
  let { workers } = config
  while (workers > 1 && socketsFor(workers) < least) workers--
  const maxSockets = socketsFor(workers)
  if (maxSockets < 1) throw tooFew(limit, open + OF_MAIN + ofWorker + 1)
  const concurrency = Math.min(config.concurrency, maxSockets)
  const fitted = { ...config, workers, concurrency, maxSockets }
  if (workers < config.workers || concurrency < config.concurrency)
    warn(config, fitted, limit, logger)
  return fitted
}

function keepsTable({ seen }: Config): boolean {
  return seen === 'sqlite' || seen === 'hybrid'
}

function filesNow(): Files | undefined {
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
  return `${workers} ${workers === 1 ? 'worker' : 'workers'} with ${concurrency} requests in flight each`
}
