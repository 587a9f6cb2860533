import { setTimeout as sleep } from 'node:timers/promises'
import { generateGraph, type SiteGraph } from './generated-graph.ts'
import { expectedVisits } from './graph-oracle.ts'
import { type SiteServer, startServer } from './site-server.ts'

/** A site, and the expected result of a crawl. */
export interface KnownSite {
  readonly seed: string
  /** The status of each URL; undefined if there is no response. */
  readonly truth: ReadonlyMap<string, number | undefined>
  /** Requests so far, in order. */
  readonly requests: SiteServer['requests']
  close(): Promise<void>
}

/** Returns true for pages that respond 503 at first. */
const isFlaky = (page: number) => page % 13 === 5
/** Returns true for pages that never respond. */
const isDead = (page: number) => page % 37 === 11

/** Starts a generated site with redirects, errors, pages that fail once, and some that always fail. */
export async function startFlakySite(pages: number, seed: number): Promise<KnownSite> {
  const graph = generateGraph({ seed, pages, errors: 0.03 })
  const paths = new Map(graph.pages.map(({ path }, number) => [path, number]))
  const requested = new Set<number>()
  const site = await startServer(async (request, response) => {
    const number = paths.get(request.url ?? '') ?? -1
    const page = graph.pages[number]
    await sleep(Math.max(0, number) % 7)
    if (page === undefined) response.writeHead(404).end()
    else if (page.kind === 'leaf' && isDead(number)) response.destroy()
    else if (isFlaky(number) && !requested.has(number)) response.writeHead(503).end()
    else {
      const links = page.targets.map((target) => graph.pages[target]?.path ?? '')
      if (page.kind === 'redirect') response.setHeader('location', links[0] ?? '')
      response.writeHead(page.status, {
        'content-type': page.kind === 'leaf' ? 'text/plain' : 'text/html',
      })
      response.end(links.map((link) => `<a href="${link}">page</a>`).join('\n'))
    }
    requested.add(number)
  })
  return {
    seed: `${site.url}${graph.pages[0]?.path}`,
    truth: truthOf(graph, site.url),
    requests: site.requests,
    close: () => site.close(),
  }
}

function truthOf(graph: SiteGraph, origin: string): Map<string, number | undefined> {
  const visits = [...expectedVisits(graph, { depth: Number.POSITIVE_INFINITY })]
  return new Map(
    visits.map(([number, { status }]) => {
      const page = graph.pages[number]
      const isSilent = page?.kind === 'leaf' && isDead(number)
      return [`${origin}${page?.path}`, isSilent ? undefined : status]
    }),
  )
}
