import { describe, expect, it } from 'vitest'
import { controlJob, showJob } from '../../src/cluster/redis/job-control.ts'
import type { ConfigInput } from '../../src/config/schema.ts'
import type { Visit } from '../../src/records/visit.ts'
import { generateGraph } from '../support/generated-graph.ts'
import { countRequests, type StartedGraph, startGraph } from '../support/graph-server.ts'
import { type JobAgent, startAgent } from '../support/job-agent.ts'
import { RedisCluster } from '../support/redis-cluster.ts'
import { connect, RedisServer } from '../support/redis-server.ts'
import { freshName, REDIS_SETUPS } from '../support/redis-setups.ts'
import { chosen } from '../support/soak.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'

const DEPTH = 3

type Gate = (requested: number) => Promise<void> | undefined

async function startSite(pages: number, gate?: Gate): Promise<StartedGraph> {
  const graph = generateGraph({ seed: 5, pages, hosts: 4, errors: 0 })
  const site = await startGraph(graph, { gate: () => gate?.(countRequests(site)) })
  return site
}

function start(url: string, job: string, { seeds }: StartedGraph, settings: ConfigInput): JobAgent {
  const limits = { depth: DEPTH, scope: 'any', allowPrivate: true, retries: 0 } as const
  return startAgent({ seeds: [...seeds], ...limits, frontier: [url], job, ...settings })
}

describe.concurrent.each(chosen(REDIS_SETUPS, (_, at) => at === 0))('%s', (_, startRedis) => {
  it('is waited for when it is out of memory, and the log says what to do', async (context) => {
    const redis = await startRedis()
    const job = freshName()
    const short = Promise.withResolvers<void>()
    const site = await startSite(70, (requested) => (requested > 30 ? short.promise : undefined))
    context.onTestFinished(() => site.close())
    const crawl = start(redis.url, job, site, { delay: '20ms' })
    await until(() => countRequests(site) > 20)
    await redis.ask('CONFIG', 'SET', 'maxmemory', '1')
    // Other tests use the server, too.
    context.onTestFinished(async () => void (await redis.ask('CONFIG', 'SET', 'maxmemory', '0')))
    short.resolve()
    await until(() => crawl.log().includes('is out of memory'))
    const servers = await connect(redis.url)
    context.onTestFinished(() => servers.close())
    await controlJob(servers, job, 'pause')
    expect(await showJob(servers, job)).toMatchObject({ state: 'paused', agents: 1 })
    await controlJob(servers, job, 'resume')
    await redis.ask('CONFIG', 'SET', 'maxmemory', '0')
    expectEachOnce((await crawl.ended).visits, site)
    const said = messagesOf(crawl)
    expect(said.filter((message) => message.includes('memory'))).toEqual([
      `Redis at ${new URL(redis.url).host} is out of memory: give it more (CONFIG SET maxmemory <bytes>); the crawl waits, and loses nothing`,
    ])
    expect(said.join('\n')).toMatch(/ answers again, after [\d.]+ m?s; the crawl continues$/m)
  })
})

const SETUPS = [
  ['a server', 1, startBehind],
  ['a cluster of three nodes', 3, RedisCluster.behind],
] as const

describe.concurrent.each(chosen(SETUPS, (_, at) => at === 1))(
  '%s whose replies take 200 ms',
  (_, nodes, startRedis) => {
    it('costs no process a lease', async (context) => {
      const proxies = await Promise.all(Array.from({ length: nodes }, () => startTcpProxy(0)))
      context.onTestFinished(() => closeAll(proxies))
      const redis = await startRedis(proxies)
      context.onTestFinished(() => redis.close())
      for (const proxy of proxies) proxy.delay = 200
      const site = await startSite(12)
      context.onTestFinished(() => site.close())
      const settings = { depth: 1, lease: '6s', delay: '50ms' }
      const url = `redis://127.0.0.1:${proxies[0]?.port}`
      const agents = [1, 2].map(() => start(url, 'slow', site, settings))
      const runs = await Promise.all(agents.map(({ ended }) => ended))
      const visits = runs.flatMap((run) => run.visits)
      expectEachOnce(visits, site, 1)
      expect(visits.every(({ attempts }) => attempts === 1)).toBe(true)
    })
  },
)

async function startBehind([proxy]: readonly TcpProxy[]): Promise<RedisServer> {
  const server = await RedisServer.start()
  if (proxy !== undefined) proxy.target = server.port
  return server
}

async function closeAll(proxies: readonly TcpProxy[]): Promise<void> {
  await Promise.all(proxies.map((proxy) => proxy.close()))
}

function expectEachOnce(visits: readonly Visit[], site: StartedGraph, depth = DEPTH): void {
  const expected = [...site.expected({ depth })].map(([url, page]) => [url, page.depth])
  const found = visits.map((visit) => [visit.url, visit.depth])
  expect(found.toSorted()).toEqual(expected.toSorted())
  for (const { requests } of site.servers) {
    const requested = requests.map(({ url }) => url)
    expect(requested.length).toBe(new Set(requested).size)
  }
}

function messagesOf(crawl: JobAgent): string[] {
  const lines = crawl.log().trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line).msg)
}
