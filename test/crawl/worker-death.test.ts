import type { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { crawl } from '../../src/crawl/crawl.ts'
import type { Visit } from '../../src/records/visit.ts'
import { generateGraph } from '../support/generated-graph.ts'
import { startGraph } from '../support/graph-server.ts'
import { seededRandom } from '../support/random.ts'
import { startServer } from '../support/site-server.ts'
import { IN_SOAK } from '../support/soak.ts'

const threads = new Set<Worker>()
const remember = (thread: Worker) => {
  threads.add(thread)
  thread.once('exit', () => threads.delete(thread))
}
process.on('worker', remember)

function oneOf<T>(values: readonly T[], random: number): T | undefined {
  return values[Math.floor(random * values.length)]
}

/**
 * Crawls a seed with a number of long links, which take time to claim. The seed's worker is killed after it claimed
 * some of them; otherwise the crawl ends at once.
 */
async function crawlAndKillAmidClaims(links: number): Promise<Visit[]> {
  const query = 'x'.repeat(1_500)
  const paths = Array.from({ length: links }, (_, page) => `/${page}?${query}`)
  const body = paths.map((path) => `<a href="${path}">x</a>`).join('')
  const site = await startServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(request.url === '/' ? body : '')
  })
  const running = crawl({ seeds: [site.url], workers: 1, perHost: 32, depth: 1, seen: 'exact' })
  const killAmidClaims = () => {
    if (running.stats().seen.added > 100) for (const thread of threads) thread.terminate()
    else setImmediate(killAmidClaims)
  }
  killAmidClaims()
  const visits: Visit[] = []
  for await (const visit of running) {
    visits.push(visit)
    if (visits[0]?.attempts !== 2) break
  }
  await site.close()
  return visits
}

afterEach(() => threads.clear())

describe('workers that die', () => {
  it('cost no page, and change no depth', async () => {
    const random = seededRandom(7)
    const graph = generateGraph({ seed: 5, pages: 150 })
    const site = await startGraph(graph, { latencySeed: 3 })
    const visits = new Map<string, string>()
    let records = 0
    let deaths = 0
    const config = { ignoreRobots: true, retries: 0, workers: 3, perHost: 32, depth: 6 }
    for await (const { url, depth, status } of crawl({ ...config, seeds: [...site.seeds] })) {
      visits.set(url, `${depth} ${status}`)
      if (++records % 30 === 0) {
        deaths++
        oneOf([...threads], random())?.terminate()
      }
    }
    const expected = [...site.expected({ depth: 6 })]
    await site.close()
    expect(deaths).toBeGreaterThan(3)
    expect(records).toBe(visits.size)
    expect(visits).toEqual(
      new Map(expected.map(([url, { depth, status }]) => [url, `${depth} ${status}`])),
    )
  })

  // Another test covers the log of claims step by step; this one kills at random.
  if (IN_SOAK) {
    it('lose no links that they had claimed and not yet reported', async () => {
      let visits: Visit[] = []
      // The kill has to hit the milliseconds between claim and message.
      for (let round = 0; round < 200 && visits[0]?.attempts !== 2; round++) {
        visits = await crawlAndKillAmidClaims(800)
      }
      expect(visits[0]).toMatchObject({ attempts: 2, links: 800 })
      expect(visits[0]?.discovered).toBeLessThan(799)
      expect(visits).toHaveLength(801)
    })
  }

  it("free their host's requests, however many of its pages kill them", async () => {
    const killers = Array.from({ length: 3 }, (_, page) => `/killer/${page}`)
    const others = Array.from({ length: 10 }, (_, page) => `/${page}`)
    const site = await startServer((request, response) => {
      if (request.url?.startsWith('/killer') === true) {
        for (const thread of threads) thread.terminate()
        return
      }
      response.setHeader('content-type', 'text/html')
      response.end([...killers, ...others].map((path) => `<a href="${path}">x</a>`).join(''))
    })
    const visits: Visit[] = []
    const config = { seeds: [site.url], workers: 1, ignoreRobots: true, perHost: 2 }
    for await (const visit of crawl(config)) visits.push(visit)
    await site.close()
    expect(visits.filter(({ error }) => error?.code === 'worker-died')).toHaveLength(3)
    expect(visits.filter(({ status }) => status === 200)).toHaveLength(11)
  })

  it('cause a page that kills each of them to be given up', async () => {
    const site = await startServer((request, response) => {
      if (request.url === '/killer') {
        for (const thread of threads) thread.terminate()
        return
      }
      response.setHeader('content-type', 'text/html')
      response.end('<a href="/killer">1</a><a href="/harmless">2</a>')
    })
    const visits = []
    const config = { seeds: [site.url], workers: 1, ignoreRobots: true, concurrency: 1 }
    for await (const visit of crawl(config)) visits.push(visit)
    await site.close()
    const byPath = Object.fromEntries(visits.map((visit) => [new URL(visit.url).pathname, visit]))
    expect(byPath['/killer']).toMatchObject({ error: { code: 'worker-died' } })
    expect(byPath['/harmless']).toMatchObject({ status: 200 })
  })
})
