import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GraphPage, SiteGraph } from './generated-graph.ts'
import { type ExpectedVisit, expectedVisits, type OracleLimits } from './graph-oracle.ts'
import { latencyOf } from './latency.ts'
import { type SiteServer, startServer } from './site-server.ts'

export interface Slowness {
  /** Seed of random latencies (see latencyOf); none by default. */
  readonly latencySeed?: number
  /** Called for each request. The response waits for the returned promise. */
  readonly gate?: () => Promise<void> | undefined
  /** One host that is slower by this time, robots.txt included. */
  readonly slowHost?: { readonly index: number; readonly delayMs: number }
}

export interface StartedGraph {
  /** URLs to start a crawl from. */
  readonly seeds: readonly string[]
  /** One server per host, in the graph's order, with the requests it met. */
  readonly servers: readonly SiteServer[]
  /** Returns the expected visits of a crawl, by URL. */
  expected(limits: OracleLimits): Map<string, ExpectedVisit>
  close(): Promise<void>
}

/** Serves a graph, each host at its own address: 127.0.0.2, 127.0.0.3, ... */
export async function startGraph(graph: SiteGraph, slowness: Slowness = {}): Promise<StartedGraph> {
  const origins: string[] = []
  const servers = await Promise.all(
    Array.from({ length: graph.hosts }, (_, host) =>
      startServer(answerer(graph, host, origins, slowness), { host: addressOf(host) }),
    ),
  )
  origins.push(...servers.map((server) => server.url))
  const urlOf = (number: number) => urlAt(graph.pages[number], origins)
  return {
    seeds: graph.seeds.map(urlOf),
    servers,
    expected: (limits) =>
      new Map([...expectedVisits(graph, limits)].map(([page, visit]) => [urlOf(page), visit])),
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  }
}

/** Returns the number of requests to all hosts so far. */
export function countRequests({ servers }: Pick<StartedGraph, 'servers'>): number {
  return servers.reduce((sum, { requests }) => sum + requests.length, 0)
}

function addressOf(host: number): string {
  return `127.0.${Math.floor(host / 250)}.${2 + (host % 250)}`
}

function urlAt(page: GraphPage | undefined, origins: readonly string[]): string {
  if (page === undefined) throw new Error('no such page')
  return `${origins[page.host]}${page.path}`
}

function answerer(
  graph: SiteGraph,
  host: number,
  origins: readonly string[],
  slowness: Slowness,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const here = new Map(
    [...graph.pages.entries()]
      .filter(([, page]) => page.host === host)
      .map(([number, page]) => [page.path, { number, page }]),
  )
  return async (request, response) => {
    const found = here.get(request.url ?? '')
    await slowness.gate?.()
    const wait = waitFor(found?.number ?? -1, host, slowness)
    if (wait > 0) await sleep(wait)
    if (found === undefined) response.writeHead(404).end()
    else answer(response, found.page, linksOf(found.number, found.page, graph, origins))
  }
}

function waitFor(page: number, host: number, { latencySeed, slowHost }: Slowness): number {
  const latency = latencySeed === undefined ? 0 : latencyOf(page, latencySeed)
  return slowHost?.index === host ? latency + slowHost.delayMs : latency
}

function answer(response: ServerResponse, page: GraphPage, links: readonly string[]): void {
  if (page.kind === 'redirect') response.setHeader('location', links[0] ?? '')
  const type = page.kind === 'leaf' ? 'text/plain' : 'text/html; charset=utf-8'
  // This link reveals a crawler that searches for links outside of HTML.
  const trap = page.kind === 'leaf' ? ['/trap.html'] : links
  const body = trap.map((link) => `<a href="${link}">page</a>\n`).join('')
  response.writeHead(page.status, { 'content-type': type }).end(`<!doctype html>\n${body}`)
}

function linksOf(
  number: number,
  page: GraphPage,
  graph: SiteGraph,
  origins: readonly string[],
): string[] {
  return page.targets.map((target, place) => {
    const to = graph.pages[target]
    const url = urlAt(to, origins)
    const sameHost = to?.host === page.host
    const spellings = sameHost ? spellingsOf(to.path, url) : [url, url.slice('http:'.length)]
    return spellings[(number + place) % spellings.length] ?? url
  })
}

/** Returns all spellings of a link. Every page is in a folder right below the root. */
function spellingsOf(path: string, url: string): string[] {
  return [path, `..${path}`, url, `.${path.replace('/', '/../')}#part`, `HTTP${url.slice(4)}`]
}
