import { afterEach, describe, expect, it } from 'vitest'
import { generateGraph } from './generated-graph.ts'
import { type Slowness, type StartedGraph, startGraph } from './graph-server.ts'
import { latencyOf } from './latency.ts'
import type { SiteServer } from './site-server.ts'

let site: StartedGraph | undefined

afterEach(() => site?.close())

async function start(hosts: number, slowness?: Slowness): Promise<StartedGraph> {
  site = await startGraph(generateGraph({ seed: 3, pages: 300, hosts }), slowness)
  return site
}

describe('startGraph', () => {
  it('serves what the oracle expects, for all spellings of links', async () => {
    const { seeds, expected } = await start(3)
    expect(await crawlByLevels(seeds)).toEqual(expected({ depth: Infinity }))
    expect(expected({ depth: Infinity }).size).toBe(300)
    expect(expected({ depth: 2 }).size).toBeLessThan(100)
  })

  it('gives each host its own address and port', async () => {
    const { servers } = await start(3)
    const hosts = servers.map((server) => new URL(server.url).hostname)
    expect(hosts).toEqual(['127.0.0.2', '127.0.0.3', '127.0.0.4'])
  })

  it('delays responses by the latency seed', async () => {
    const { seeds, servers } = await start(1, { latencySeed: 4 })
    await fetch(`${seeds}`)
    // Timers may fire up to a millisecond early.
    expect(tookOf(servers[0])).toBeGreaterThan(latencyOf(0, 4) - 2)
    expect(latencyOf(0, 4)).toBeGreaterThan(10)
  })

  it('makes one host slow', async () => {
    const { servers } = await start(2, { slowHost: { index: 1, delayMs: 1_000 } })
    await Promise.all(servers.map((server) => fetch(`${server.url}/robots.txt`)))
    expect(tookOf(servers[1])).toBeGreaterThan(998)
    expect(tookOf(servers[0])).toBeLessThan(998)
  })
})

/** Returns how long the first request to a server took, in ms. */
function tookOf(server: SiteServer | undefined): number {
  const [seen] = server?.requests ?? []
  return (seen?.endedAt ?? NaN) - (seen?.startedAt ?? NaN)
}

/** Crawls in the simplest way: one request after the other, level by level. */
async function crawlByLevels(seeds: readonly string[]): Promise<Map<string, object>> {
  const visits = new Map<string, object>()
  let level = [...seeds]
  for (let depth = 0; level.length > 0; depth++) {
    const next: string[] = []
    for (const url of level) {
      if (visits.has(url)) continue
      const response = await fetch(url, { redirect: 'manual' })
      visits.set(url, { depth, status: response.status })
      const location = response.headers.get('location')
      if (location !== null) level.push(absolute(location, url))
      else if (response.headers.get('content-type')?.startsWith('text/html'))
        next.push(...hrefs(await response.text()).map((href) => absolute(href, url)))
    }
    level = next
  }
  return visits
}

function hrefs(page: string): string[] {
  return [...page.matchAll(/href="([^"]*)"/g)].map((match) => match[1] ?? '')
}

function absolute(href: string, base: string): string {
  const url = new URL(href, base)
  url.hash = ''
  return url.href
}
