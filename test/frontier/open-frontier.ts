import { onTestFinished } from 'vitest'
import type { Action } from '../../src/frontier/action.ts'
import type { Frontier, FrontierOptions } from '../../src/frontier/frontier.ts'
import { SqliteFrontier } from '../../src/frontier/sqlite/sqlite-frontier.ts'
import type { Findings } from '../../src/messages/outcome.ts'
import { QUICK_LIMITS } from '../traps/quick-limits.ts'

/** Default options of a frontier in tests. */
export const OPTIONS: FrontierOptions = {
  depth: 10,
  perHost: 6,
  delay: 0,
  ignoreRobots: true,
  traps: true,
  trapLimits: QUICK_LIMITS,
}

/** Opens a frontier, and closes it at the end of the test. */
export type OpenFrontier = (options?: Partial<FrontierOptions>) => Frontier

/** Opens a frontier in SQLite, and closes it at the end of the test. */
export function openFrontier(options: Partial<FrontierOptions> = {}): SqliteFrontier {
  const frontier = new SqliteFrontier({ ...OPTIONS, ...options })
  onTestFinished(() => frontier.close())
  return frontier
}

/** Returns the findings of a page with these links. */
export function found(discovered: readonly string[] = [], more: Partial<Findings> = {}): Findings {
  return { discovered, nearer: [], sameDepth: [], ...more }
}

/** Returns actions as `type url`, or as `type host` if they have no URL. */
export function gist(actions: readonly Action[]): string[] {
  return actions.map((action) => {
    if ('crawlUrl' in action) return `${action.type} ${action.crawlUrl.url}`
    return `${action.type} ${action.type === 'robots' ? action.url : action.host}`
  })
}

export function idOf(actions: readonly Action[], url: string): number {
  for (const action of actions) {
    if (action.type === 'visit' && action.crawlUrl.url === url) return action.crawlUrl.id
  }
  throw new Error(`${url} was not handed out`)
}

/** Returns the URLs that are handed out, with their depths. */
export function visits(actions: readonly Action[]): Record<string, number> {
  const pages = actions.flatMap((action) => (action.type === 'visit' ? [action.crawlUrl] : []))
  return Object.fromEntries(pages.map(({ url, depth }) => [url, depth]))
}
