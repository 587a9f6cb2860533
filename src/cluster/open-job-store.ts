import type { Logger } from '../logger.ts'
import type { JobStore } from './job-store.ts'
import { openRedisJobStore } from './redis/redis-job-store.ts'

/**
 * Opens the servers of `--frontier`. Another kind of shared queue is added here, by the scheme of its URLs.
 * @throws CrawlerError('redis') when a server can't be reached
 */
export function openJobStore(urls: readonly string[], logger: Logger): Promise<JobStore> {
  return openRedisJobStore(urls, logger)
}
