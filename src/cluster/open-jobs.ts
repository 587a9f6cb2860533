import { type Environment, Logins } from '../config/logins.ts'
import { CrawlerError } from '../errors.ts'
import { silentLogger } from '../logger.ts'
import { LoginUrl } from '../url/login-url.ts'
import { isRedisUrl, REDIS_URL } from '../url/redis-url.ts'
import {
  controlJob,
  deleteJob,
  type JobAction,
  type JobReport,
  listJobs,
  showJob,
} from './redis/job-control.ts'
import { Servers } from './redis/servers.ts'
import { jobError } from './redis/stored-replies.ts'

/** The jobs on some Redis servers. Each call throws a CrawlerError that says what is wrong. */
export interface Jobs {
  list(): Promise<JobReport[]>
  show(job: string): Promise<JobReport>
  control(job: string, turn: JobAction): Promise<void>
  /** Removes all of a job, which nobody may take part in. */
  delete(job: string): Promise<void>
  close(): void
}

/**
 * @param urls of all servers that the jobs were begun on
 * @param environment may hold their logins
 * @throws CrawlerError('usage') for what is no URL of Redis, 'redis' when a server can't be reached
 */
export async function openJobs(
  urls: readonly string[],
  environment: Environment = {},
): Promise<Jobs> {
  // Not shown: it may hold a password.
  if (!urls.every(isRedisUrl)) throw new CrawlerError('usage', `--frontier: expected ${REDIS_URL}`)
  const logins = new Logins(environment)
  const filled = urls.map((url) => logins.fill(new LoginUrl(url)).reveal())
  const servers = await Servers.open(filled, silentLogger())
  return {
    async list() {
      const names = await listJobs(servers)
      return Promise.all(names.map((name) => named(name, showJob(servers, name))))
    },
    show: (job) => named(job, showJob(servers, job)),
    control: async (job, turn) => void (await named(job, controlJob(servers, job, turn))),
    delete: (job) => named(job, deleteJob(servers, job)),
    close: () => servers.close(),
  }
}

async function named<T>(job: string, done: Promise<T>): Promise<T> {
  try {
    return await done
  } catch (error) {
    throw jobError(job, error)
  }
}
