import { Worker, type WorkerOptions } from 'node:worker_threads'
import { CrawlerError, codeOf } from '../../errors.ts'

/**
 * Starts a thread.
 * @throws CrawlerError('usage') if the system refuses it
 */
export function startThread(entry: URL, options: WorkerOptions): Worker {
  try {
    return new Worker(entry, options)
  } catch (error) {
    if (codeOf(error) !== 'ERR_WORKER_INIT_FAILED') throw error
    const message =
      'the limit of threads (ulimit -u, or that of processes of a container): expected room for another thread, got none'
    throw new CrawlerError('usage', message, { cause: error })
  }
}
