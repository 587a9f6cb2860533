import type { Environment } from '../config/environment.ts'
import { Logins } from '../config/logins.ts'
import { CrawlerError } from '../errors.ts'
import { type Logger, silentLogger } from '../logger.ts'
import { expectedRedisUrl, isRedisUrl } from '../url/redis-url.ts'
import { UrlWithPassword } from '../url/url-with-password.ts'
import type { JobStore } from './job-store.ts'
import { openRedisJobStore } from './redis/redis-job-store.ts'

/** Milliseconds for which a command on jobs waits for a server that is unavailable. */
const PATIENCE_MS = 5_000

/**
 * Opens the servers that store jobs, to list and control the jobs.
 * @param urls URLs of all servers on which the jobs were created
 * @param environment environment variables, which may contain the logins of the servers
 * @throws CrawlerError('usage') for an invalid URL, 'redis' if a server can't be reached
 */
export async function openJobs(
  urls: readonly string[],
  environment: Environment = {},
): Promise<JobStore> {
  const wrong = urls.find((url) => !isRedisUrl(url))
  if (wrong !== undefined)
    throw new CrawlerError('usage', `--frontier: expected ${expectedRedisUrl(wrong)}`)
  const logins = new Logins(environment)
  const filled = urls.map((url) => logins.fill(new UrlWithPassword(url)).reveal())
  return openRedisJobStore(filled, silentLogger(), PATIENCE_MS)
}

/**
 * Opens the servers of `--frontier`. A new kind of shared queue is added here, chosen by the scheme of its URLs.
 * @throws CrawlerError('redis') if a server can't be reached
 */
export function openJobStore(urls: readonly string[], logger: Logger): Promise<JobStore> {
  return openRedisJobStore(urls, logger)
}
