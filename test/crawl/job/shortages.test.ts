import { expect, it, onTestFinished } from 'vitest'
import type { ConfigInput } from '../../../src/config/schema.ts'
import { controlJob, showJob } from '../../../src/redis/job-list.ts'
import type { Visit } from '../../../src/wire/visit.ts'
import { generateGraph } from '../../support/generated-graph.ts'
import { type StartedGraph, startGraph } from '../../support/graph-server.ts'
import { type JobAgent, startAgent } from '../../support/job-agent.ts'
import { connect, RedisServer } from '../../support/redis-server.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'

const DEPTH = 3

async function startSite(
  pages: number,
  gate?: (asked: number) => Promise<void> | undefined,
): Promise<StartedGraph> {
  const graph = generateGraph({ seed: 5, pages, hosts: 4, errors: 0 })
  const site = await startGraph(graph, { gate: () => gate?.(requestsOf(site)) })
  onTestFinished(() => site.close())
  return site
}

async function startRedis(...args: string[]): Promise<RedisServer> {
  const redis = await RedisServer.start(...args)
  onTestFinished(() => redis.close())
  return redis
}

function start(port: number, { seeds }: StartedGraph, settings: ConfigInput): JobAgent {
  const limits = { depth: DEPTH, scope: 'any', allowPrivate: true, retries: 0 } as const
  const frontier = [`redis://127.0.0.1:${port}`]
  return startAgent({ seeds: [...seeds], ...limits, frontier, job: 'shortage', ...settings })
}

it('a crawl waits for a Redis that is out of memory, and names what to do', async () => {
  const redis = await startRedis('--appendonly', 'yes')
  const short = Promise.withResolvers<void>()
  const site = await startSite(120, (asked) => (asked > 30 ? short.promise : undefined))
  const crawl = start(redis.port, site, { delay: '20ms' })
  await until(() => requestsOf(site) > 20)
  await redis.ask('CONFIG', 'SET', 'maxmemory', '1')
  short.resolve()
  await until(() => crawl.log().includes('is out of memory'))
  const servers = await connect(redis.url)
  onTestFinished(() => servers.close())
  expect(await controlJob(servers, 'shortage', 'pause')).toBe('paused')
  expect((await showJob(servers, 'shortage')).agents).toBe(1)
  await controlJob(servers, 'shortage', 'resume')
  await redis.ask('CONFIG', 'SET', 'maxmemory', '0')
  expectEachOnce((await crawl.ended).visits, site)
  const said = messagesOf(crawl)
  expect(said.filter((message) => message.includes('memory'))).toEqual([
    `Redis at 127.0.0.1:${redis.port} is out of memory: give it more (CONFIG SET maxmemory <bytes>); the crawl waits, and loses nothing`,
  ])
  expect(said.join('\n')).toMatch(/ answers again, after \d+\.\d s; the crawl goes on$/m)
})

it('processes lose no lease by a Redis whose replies take 200 ms', async () => {
  const redis = await startRedis()
  const proxy = await startTcpProxy(redis.port)
  onTestFinished(() => proxy.close())
  proxy.delay = 200
  const site = await startSite(12)
  const settings = { depth: 1, lease: '6s', delay: '50ms' }
  const agents = [1, 2].map(() => start(proxy.port, site, settings))
  const visits = (await Promise.all(agents.map(({ ended }) => ended))).flatMap((run) => run.visits)
  expectEachOnce(visits, site, 1)
  expect(visits.every(({ attempts }) => attempts === 1)).toBe(true)
})

function expectEachOnce(visits: readonly Visit[], site: StartedGraph, depth = DEPTH): void {
  const expected = [...site.expected({ depth })].map(([url, page]) => [url, page.depth])
  const found = visits.map((visit) => [visit.url, visit.depth])
  expect(found.toSorted()).toEqual(expected.toSorted())
  for (const { requests } of site.servers) {
    const asked = requests.map(({ url }) => url)
    expect(asked.length).toBe(new Set(asked).size)
  }
}

function messagesOf(crawl: JobAgent): string[] {
  const lines = crawl.log().trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line).msg)
}

function requestsOf({ servers }: StartedGraph): number {
  return servers.reduce((sum, { requests }) => sum + requests.length, 0)
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5))
}
