import { describe, expect, it } from 'vitest'
import { type CrawlOptions, crawl } from '../../src/crawl/crawl.ts'
import { generateGraph } from '../support/generated-graph.ts'
import { startGraph } from '../support/graph-server.ts'
import { serve } from '../support/serve.ts'
import { chosen, IN_SOAK } from '../support/soak.ts'

const common = {
  allowPrivate: true,
  ignoreRobots: true,
  retries: 0,
  seen: 'exact',
  delay: '0',
} as const

/** Returns the depth and the status of all visits by URL. Fails if a URL is visited twice. */
async function crawlAll(config: CrawlOptions): Promise<Map<string, string>> {
  const visits = new Map<string, string>()
  for await (const { url, depth, status } of crawl({ ...common, ...config })) {
    expect(visits.has(url), `${url} visited twice`).toBe(false)
    visits.set(url, `${depth} ${status}`)
  }
  return visits
}

function asText(expected: ReadonlyMap<string, { depth: number; status: number }>) {
  return new Map([...expected].map(([url, { depth, status }]) => [url, `${depth} ${status}`]))
}

describe('on one host', () => {
  it.each([
    [1, [1]],
    [3, IN_SOAK ? [1, 2] : [2]],
  ])('gives each page the depth of its shortest path, with %i workers', async (workers, seeds) => {
    for (const seed of seeds) {
      const graph = generateGraph({ seed, pages: 120 })
      const site = await startGraph(graph, { latencySeed: seed * 10 + workers })
      const visits = await crawlAll({
        seeds: [...site.seeds],
        depth: 6,
        workers,
        // More workers start when requests wait in those that run.
        concurrency: 4,
        perHost: 32,
        scope: 'any',
      })
      await site.close()
      expect(visits).toEqual(asText(site.expected({ depth: 6 })))
    }
  })

  it('visits pages one link deeper while a page takes long', async () => {
    const { promise: isDeepRequested, resolve } = Promise.withResolvers<void>()
    const links: Record<string, string> = {
      '/': '/slow /quick',
      '/quick': '/deep',
      '/slow': '/later',
    }
    const { url: root } = await serve(async ({ url = '' }, response) => {
      if (url === '/deep') resolve()
      if (url === '/slow') await isDeepRequested
      const hrefs = links[url]?.split(' ') ?? []
      response.setHeader('content-type', 'text/html')
      response.end(hrefs.map((href) => `<a href=${href}>x</a>`).join(''))
    })
    const visits = await crawlAll({ seeds: [root], depth: 2, timeout: '20s' })
    const depths = { '/': 0, '/quick': 1, '/slow': 1, '/deep': 2, '/later': 2 }
    const expected = Object.entries(depths).map(([path, depth]) => [
      new URL(path, root).href,
      `${depth} 200`,
    ])
    expect(visits).toEqual(new Map(expected.map(([url = '', visit = '']) => [url, visit])))
  })
})

describe('over many hosts', () => {
  it('crawls exactly the pages within the limit', async () => {
    const workers = 3
    const graphs: [number, number][] = [
      [1, 4],
      [2, 6],
    ]
    for (const [seed, depth] of chosen(graphs, ([seed]) => seed === 2)) {
      const graph = generateGraph({ seed, pages: 100, hosts: 5 })
      const slowHost = { index: 1, delayMs: 60 }
      const site = await startGraph(graph, { latencySeed: seed * 10 + workers, slowHost })
      const visits = await crawlAll({
        seeds: [...site.seeds],
        depth,
        workers,
        concurrency: 2,
        perHost: 4,
        scope: 'any',
      })
      await site.close()
      const expected = site.expected({ depth })
      expect([...visits.keys()].sort()).toEqual([...expected.keys()].sort())
    }
  })

  it('visits the links of a page first found on a path that was too long', async () => {
    const found = Promise.withResolvers<void>()
    const page = (paths: readonly string[]) => paths.map((url) => `<a href="${url}">x</a>`).join('')
    const long = await serve(({ url }, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(url === '/1' ? page(['/2']) : page([`${seed.url}/end`]))
    })
    const short = await serve(async (_, response) => {
      await found.promise
      response.setHeader('content-type', 'text/html')
      response.end(page([`${seed.url}/end`]))
    })
    const seed = await serve(({ url }, response) => {
      response.setHeader('content-type', 'text/html')
      if (url === '/') response.end(page([`${short.url}/`, `${long.url}/1`]))
      else response.end(url === '/end' ? page(['/beyond']) : '')
      // The page at the end is read before the short path to it is found.
      if (url === '/end') response.once('close', () => setTimeout(found.resolve, 300))
    })
    const visits = await crawlAll({
      ...{ seeds: [`${seed.url}/`], depth: 3, workers: 1, scope: 'any' },
    })
    expect(visits.get(`${seed.url}/beyond`)).toBe('3 200')
    expect(visits.size).toBe(6)
  })
})
