import type { Environment } from '../config/environment.ts'
import { Logins } from '../config/logins.ts'
import { CrawlerError } from '../errors.ts'
import { type Logger, silentLogger } from '../logger.ts'
import { EXPECTED_REDIS_URL, isRedisUrl } from '../url/redis-url.ts'
import { UrlWithPassword } from '../url/url-with-password.ts'
import type { JobStore } from './job-store.ts'
import { openRedisJobStore } from './redis/redis-job-store.ts'

/**
 * Opens the servers that keep jobs, to list and control them.
 * @param urls of all servers that the jobs were begun on
 * @param environment may hold their logins
 * @throws CrawlerError('usage') for an invalid URL, 'redis' when a server can't be reached
 */
export async function openJobs(
  urls: readonly string[],
  environment: Environment = {},
): Promise<JobStore> {
  // The message doesn't show the URL: it may hold a password.
  if (!urls.every(isRedisUrl))
    throw new CrawlerError('usage', `--frontier: expected ${EXPECTED_REDIS_URL}`)
  const logins = new Logins(environment)
  const filled = urls.map((url) => logins.fill(new UrlWithPassword(url)).reveal())
  return openJobStore(filled, silentLogger())
}

/**
 * Opens the servers of `--frontier`. Another kind of shared queue is added here, by the scheme of its URLs.
 * @throws CrawlerError('redis') when a server can't be reached
 */
export function openJobStore(urls: readonly string[], logger: Logger): Promise<JobStore> {
  return openRedisJobStore(urls, logger)
}
