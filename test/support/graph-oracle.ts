import type { SiteGraph } from './generated-graph.ts'

export interface ExpectedVisit {
  /** Number of links on the shortest path from a seed. Redirects don't count. */
  readonly depth: number
  readonly status: number
}

export interface OracleLimits {
  /** Pages deeper than this are not visited. */
  readonly depth: number
  /** True to visit only the hosts of the seeds (`--scope host`) instead of all. */
  readonly seedHostsOnly?: boolean
}

/**
 * Returns the expected visits of a crawl, by page number: a breadth-first search, level by level, that shares no code
 * with the crawler. The target of a redirect belongs to the level of the redirect.
 */
export function expectedVisits(graph: SiteGraph, limits: OracleLimits): Map<number, ExpectedVisit> {
  const hosts = new Set(graph.seeds.map((seed) => graph.pages[seed]?.host))
  const visits = new Map<number, ExpectedVisit>()
  let level = [...graph.seeds]
  for (let depth = 0; depth <= limits.depth && level.length > 0; depth++) {
    const next: number[] = []
    for (const number of level) {
      const page = graph.pages[number]
      if (page === undefined || visits.has(number)) continue
      if (limits.seedHostsOnly && !hosts.has(page.host)) continue
      visits.set(number, { depth, status: page.status })
      // The loop also visits pages that are appended here.
      const reached = page.kind === 'redirect' ? level : next
      reached.push(...page.targets)
    }
    level = next
  }
  return visits
}
