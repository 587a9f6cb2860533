import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { describeChanges, settingsThatDecide } from '../config/changed-settings.ts'
import { settingLabel } from '../config/describe-config-errors.ts'
import { checkStoredLogins } from '../config/logins.ts'
import type { Config } from '../config/schema.ts'
import { SHARED_SEEN_NAMES } from '../config/settings/seen-settings.ts'
import { CrawlerError } from '../errors.ts'
import { formatOf, hasOnlyEndFormats } from '../formats/choose-format.ts'
import type { Logger } from '../logger.ts'
import { productToken } from '../robots/product-token.ts'
import type { JobQueue } from './job-queue.ts'
import { openJobStore } from './open-job-store.ts'
import { isSharedSeen, type SharedSeenName } from './shared-seen-options.ts'

/** A job that this process takes part in. */
export interface JoinedJob {
  readonly queue: JobQueue
  /** Name of this process, unique within the job. */
  readonly agent: string
}

/** A job that this process may join. */
export interface JoinableJob {
  readonly name: string
  /** Name of this process, unique within the job. */
  readonly agent: string
  readonly isFinished: boolean
  /**
   * Joins the job, or creates it.
   * @throws CrawlerError('usage') if another process created it meanwhile, with other settings
   */
  join(): Promise<JoinedJob>
  /** Returns an error with a message for the user if damaged data of the job caused `error`, and `error` otherwise. */
  describeError(error: unknown): unknown
  /** Closes the connections. */
  close(): void
}

/**
 * Settings that all processes of a job must agree on. Of the user agent, that is only the name that robots.txt uses,
 * since processes hand over the rules for that name.
 */
const AGREED = [
  ...settingsThatDecide('urls', 'records', 'seen', 'politeness'),
  'userAgent',
] as const

/** Settings that work only in a crawl of one process: they need a frontier that isn't shared. */
const SINGLE_PROCESS = [
  'state',
  'revisitAfter',
  'retryFailed',
  'deterministic',
  'contentDedup',
  'perIp',
] as const

/**
 * Finds the job that `--frontier` and `--job` name, and checks whether this process may join it. A job that doesn't
 * exist is created when it is joined, so a process that can't start leaves no job. Returns undefined without these
 * settings.
 */
export async function findJob(config: Config, logger: Logger): Promise<JoinableJob | undefined> {
  const { frontier, job: name } = config
  checkSettings(config)
  if (frontier.length === 0 || name === undefined) return undefined
  const urls = frontier.map((url) => url.reveal())
  const store = await openJobStore(urls, logger)
  try {
    const settings = agreedSettings(config)
    const seen = { ...config, name: sharedSeen(config) }
    const checked = (queue: JobQueue) => checkJoined(queue, settings, config)
    const found = await store.find(name, seen)
    if (found !== undefined) checked(found)
    const agent = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`
    return {
      ...{ name, agent, isFinished: found?.state === 'finished' },
      join: async () => {
        const queue = found ?? checked(await store.join(name, settings, seen))
        return { queue, agent }
      },
      describeError: (error) => store.describeError(name, error),
      close: () => store.close(),
    }
  } catch (error) {
    store.close()
    throw error
  }
}

/** Returns how to start another crawl than that of a job. */
export function adviceOnOtherCrawl(job: string): string {
  return `for another crawl, give --job another name, or crawl job delete ${job} first`
}

/** Returns the queue. @throws CrawlerError if this process may not take part in the job */
function checkJoined(
  queue: JobQueue,
  settings: Readonly<Record<string, unknown>>,
  config: Config,
): JobQueue {
  const { name } = queue
  checkStoredLogins(queue.settings, config)
  const changes = describeChanges(AGREED, queue.settings, settings)
  if (changes.length > 0) {
    const list = changes.join(', ')
    throw usage(
      `job ${name}: expected the settings that it was created with, but ${list}; ${adviceOnOtherCrawl(name)}`,
    )
  }
  if (queue.state === 'stopped') {
    const message = `job ${name}: expected a running job, got a stopped one; crawl job resume ${name} continues it`
    throw new CrawlerError('redis', message)
  }
  return queue
}

function checkSettings(config: Config): void {
  const { frontier, job, seen } = config
  if (frontier.length === 0) {
    if (job !== undefined) throw usage('--job: expected --frontier with it, got none')
    if (!isSharedSeen(seen)) return
    throw usage(`--seen ${seen}: expected --frontier with it, got none`)
  }
  if (job === undefined) throw usage('--frontier: expected --job with it, got none')
  if (!isSharedSeen(seen) && seen !== 'bloom-growing') {
    throw usage(
      `--seen: expected one of ${SHARED_SEEN_NAMES.join(', ')} with --frontier, got \`${seen}\``,
    )
  }
  checkOutputs(config)
  const single = SINGLE_PROCESS.find((name) => config[name] !== undefined && config[name] !== false)
  if (single === undefined) return
  throw usage(
    `${settingLabel(single)}: expected no --frontier with it, since it works in a single process only`,
  )
}

/**
 * @throws CrawlerError('usage') if all outputs are written at the end: the visits of a killed process would be lost,
 * since no other process fetches them again
 */
function checkOutputs(config: Config): void {
  if (!hasOnlyEndFormats(config)) return
  const [name = '-'] = config.output
  const label = name === '-' ? `--format ${formatOf(name, config)}` : `--output ${name}`
  throw usage(
    `${label}: expected a second output with --frontier, such as -o visits.jsonl: this one is written only at the end, so a killed process would lose its visits`,
  )
}

function usage(message: string): CrawlerError {
  return new CrawlerError('usage', message)
}

function sharedSeen({ seen }: Config): SharedSeenName {
  return isSharedSeen(seen) ? seen : 'redis-bloom'
}

function agreedSettings(config: Config): Record<string, unknown> {
  const userAgent = productToken(config.userAgent)
  const settings = { ...config, seen: sharedSeen(config), userAgent }
  return Object.fromEntries(AGREED.map((name) => [name, settings[name]]))
}
