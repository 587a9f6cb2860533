import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { changesOf, settingsThatDecide } from '../config/changed-settings.ts'
import { checkKeptLogins } from '../config/logins.ts'
import { labelOf } from '../config/problems.ts'
import type { Config } from '../config/schema.ts'
import { CrawlerError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { checkAcl } from './redis/acl-check.ts'
import { RedisJobQueue } from './redis/redis-job-queue.ts'
import { isRedisSeen, REDIS_SEEN_NAMES, type RedisSeenName } from './redis/seen-scheme.ts'
import { checkDurability } from './redis/server-checks.ts'
import { Servers } from './redis/servers.ts'
import { jobError } from './redis/stored-replies.ts'

/** A job, and the process as a part of it. */
export interface JoinedJob {
  readonly job: RedisJobQueue
  /** Name of the process, unlike that of any other. */
  readonly agent: string
}

/** Settings that all processes of a job must agree on. */
const AGREED = settingsThatDecide('urls', 'records', 'seen', 'politeness')

/** What needs books that nobody shares. */
const ALONE = [
  'state',
  'revisitAfter',
  'retryFailed',
  'deterministic',
  'contentDedup',
  'perIp',
] as const

/** The job that `--frontier` and `--job` name; undefined without them. */
export async function joinJob(config: Config, logger: Logger): Promise<JoinedJob | undefined> {
  const { frontier, job: name } = config
  check(config)
  if (frontier.length === 0 || name === undefined) return undefined
  const servers = await Servers.open(
    frontier.map((url) => url.reveal()),
    logger,
  )
  try {
    const seen = { ...config, name: redisSeen(config) }
    await checkAcl(servers.all)
    await checkDurability(servers.all, seen.name, logger)
    const settings = settingsOf(config)
    const job = await RedisJobQueue.join(servers, name, settings, seen)
    checkKeptLogins(job.settings, config)
    const changes = changesOf(AGREED, job.settings, settings)
    if (changes.length > 0) throw conflict(name, changes)
    if (job.state === 'stopped') {
      const message = `job ${name}: expected one that goes on, got a stopped one; crawl job resume lets it`
      throw new CrawlerError('redis', message)
    }
    return { job, agent: `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}` }
  } catch (error) {
    servers.close()
    throw jobError(name, error)
  }
}

function check(config: Config): void {
  const { frontier, job, seen } = config
  if (frontier.length === 0) {
    if (job !== undefined) throw usage('--job: expected --frontier beside it, got none')
    if (!isRedisSeen(seen)) return
    throw usage(`--seen ${seen}: expected --frontier beside it, got none`)
  }
  if (job === undefined) throw usage('--frontier: expected --job beside it, got none')
  if (!isRedisSeen(seen) && seen !== 'bloom-growing') {
    throw usage(
      `--seen: expected one of ${REDIS_SEEN_NAMES.join(', ')} with --frontier, got \`${seen}\``,
    )
  }
  const alone = ALONE.find((name) => config[name] !== undefined && config[name] !== false)
  if (alone === undefined) return
  throw usage(`${labelOf(alone)}: expected no --frontier beside it, for it knows one process only`)
}

function usage(message: string): CrawlerError {
  return new CrawlerError('usage', message)
}

function redisSeen({ seen }: Config): RedisSeenName {
  return isRedisSeen(seen) ? seen : 'redis-bloom'
}

function settingsOf(config: Config): Record<string, unknown> {
  const settings = { ...config, seen: redisSeen(config) }
  return Object.fromEntries(AGREED.map((name) => [name, settings[name]]))
}

function conflict(name: string, changes: readonly string[]): CrawlerError {
  const told = changes.join(', ')
  return usage(`job ${name}: expected the settings that it was begun with, but ${told}`)
}
