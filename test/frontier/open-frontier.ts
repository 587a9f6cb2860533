import { onTestFinished } from 'vitest'
import type { Action } from '../../src/frontier/action.ts'
import type { Frontier, FrontierOptions } from '../../src/frontier/frontier.ts'
import { SqliteFrontier } from '../../src/frontier/sqlite/sqlite-frontier.ts'
import type { Findings } from '../../src/messages/messages.ts'
import { QUICK_LIMITS } from '../traps/quick-limits.ts'

/** Options of a frontier, unless a test says otherwise. */
export const OPTIONS: FrontierOptions = {
  depth: 10,
  perHost: 6,
  delay: 0,
  ignoreRobots: true,
  traps: true,
  trapLimits: QUICK_LIMITS,
}

/** Opens a frontier for one test, which closes it at its end. */
export type OpenFrontier = (options?: Partial<FrontierOptions>) => Frontier

/** Opens a frontier in SQLite for one test. */
export function openFrontier(options: Partial<FrontierOptions> = {}): SqliteFrontier {
  const frontier = new SqliteFrontier({ ...OPTIONS, ...options })
  onTestFinished(() => frontier.close())
  return frontier
}

/** What a page leads to. */
export function found(discovered: readonly string[] = [], more: Partial<Findings> = {}): Findings {
  return { discovered, nearer: [], beside: [], ...more }
}

/** URLs to visit or to skip, as `type url`; others by their type and what they are about. */
export function gist(orders: readonly Action[]): string[] {
  return orders.map((order) => {
    if ('crawlUrl' in order) return `${order.type} ${order.crawlUrl.url}`
    return `${order.type} ${order.type === 'robots' ? order.url : order.host}`
  })
}

export function idOf(orders: readonly Action[], url: string): number {
  for (const order of orders) {
    if (order.type === 'visit' && order.crawlUrl.url === url) return order.crawlUrl.id
  }
  throw new Error(`${url} was not handed out`)
}

/** URLs handed out, with their depths. */
export function visits(orders: readonly Action[]): Record<string, number> {
  const pages = orders.flatMap((order) => (order.type === 'visit' ? [order.crawlUrl] : []))
  return Object.fromEntries(pages.map(({ url, depth }) => [url, depth]))
}
