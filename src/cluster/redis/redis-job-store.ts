import { CrawlerError } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import type { JobQueue } from '../job-queue.ts'
import type { JobAction, JobList, JobReport, JobStore } from '../job-store.ts'
import type { SharedSeenOptions } from '../shared-seen-options.ts'
import { checkAcl } from './acl-check.ts'
import { controlJob, deleteJob, listJobs, showJob } from './job-control.ts'
import { RedisJobQueue } from './redis-job-queue.ts'
import { describeDamage } from './reply-schemas.ts'
import { checkDurability } from './server-checks.ts'
import { Servers } from './servers.ts'

/**
 * Opens the jobs on some Redis servers.
 * @param patience milliseconds after which a call to a server that is unavailable fails; by default, it waits
 * @throws CrawlerError('redis') when a server can't be reached
 */
export async function openRedisJobStore(
  urls: readonly string[],
  logger: Logger,
  patience?: number,
): Promise<JobStore> {
  return new RedisJobStore(await Servers.open(urls, logger, patience), logger)
}

/** Jobs on some Redis servers. */
class RedisJobStore implements JobStore {
  readonly #servers: Servers
  readonly #logger: Logger

  constructor(servers: Servers, logger: Logger) {
    this.#servers = servers
    this.#logger = logger
  }

  find(name: string, seen: SharedSeenOptions): Promise<JobQueue | undefined> {
    return described(name, this.#find(name, seen))
  }

  join(
    name: string,
    settings: Readonly<Record<string, unknown>>,
    seen: SharedSeenOptions,
  ): Promise<JobQueue> {
    return described(name, RedisJobQueue.join(this.#servers, name, settings, seen))
  }

  async list(): Promise<JobList> {
    const names = await listJobs(this.#servers)
    const shown = await Promise.allSettled(names.map((name) => this.show(name)))
    const reports: JobReport[] = []
    const problems: CrawlerError[] = []
    for (const each of shown) {
      if (each.status === 'fulfilled') reports.push(each.value)
      else if (each.reason instanceof CrawlerError) problems.push(each.reason)
      else throw each.reason
    }
    return { reports, problems }
  }

  show(job: string): Promise<JobReport> {
    return described(job, showJob(this.#servers, job))
  }

  control(job: string, action: JobAction): Promise<void> {
    return described(job, controlJob(this.#servers, job, action))
  }

  delete(job: string): Promise<void> {
    return described(job, deleteJob(this.#servers, job))
  }

  describeError(job: string, error: unknown): unknown {
    return describeDamage(job, error)
  }

  close(): void {
    this.#servers.close()
  }

  async #find(name: string, seen: SharedSeenOptions): Promise<JobQueue | undefined> {
    await checkAcl(this.#servers.all)
    await checkDurability(this.#servers.all, seen.name, this.#logger)
    return RedisJobQueue.find(this.#servers, name, seen)
  }
}

async function described<T>(job: string, result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (error) {
    throw describeDamage(job, error)
  }
}
