import type { CrawlStorage } from '../state/crawl-storage.ts'
import type { Frontier, FrontierOptions } from './frontier.ts'
import { SqliteFrontier } from './sqlite/sqlite-frontier.ts'

/** Opens the frontier of a crawl with a single process. The store keeps the state that outlives the process. */
export function openFrontier(options: FrontierOptions, store: CrawlStorage): Frontier {
  return new SqliteFrontier(options, store)
}
