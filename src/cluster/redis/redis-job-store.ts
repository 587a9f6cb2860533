import { CrawlerError } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import type { JobQueue } from '../job-queue.ts'
import type { JobList, JobReport, JobStore } from '../job-store.ts'
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
  const servers = await Servers.open(urls, logger, patience)
  return {
    find: (name, seen) => described(name, find(servers, logger, name, seen)),
    join: (name, settings, seen) =>
      described(name, RedisJobQueue.join(servers, name, settings, seen)),
    list: () => list(servers),
    show: (job) => described(job, showJob(servers, job)),
    control: (job, action) => described(job, controlJob(servers, job, action)),
    delete: (job) => described(job, deleteJob(servers, job)),
    describeError: describeDamage,
    close: () => servers.close(),
  }
}

async function find(
  servers: Servers,
  logger: Logger,
  name: string,
  seen: SharedSeenOptions,
): Promise<JobQueue | undefined> {
  await checkAcl(servers.all)
  await checkDurability(servers.all, seen.name, logger)
  return RedisJobQueue.find(servers, name, seen)
}

async function list(servers: Servers): Promise<JobList> {
  const names = await listJobs(servers)
  const shown = await Promise.allSettled(
    names.map((name) => described(name, showJob(servers, name))),
  )
  const reports: JobReport[] = []
  const problems: CrawlerError[] = []
  for (const each of shown) {
    if (each.status === 'fulfilled') reports.push(each.value)
    else if (each.reason instanceof CrawlerError) problems.push(each.reason)
    else throw each.reason
  }
  return { reports, problems }
}

async function described<T>(job: string, result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (error) {
    throw describeDamage(job, error)
  }
}
