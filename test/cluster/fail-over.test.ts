import { expect, it, onTestFinished } from 'vitest'
import { startAgent } from '../support/job-agent.ts'
import { RedisServer } from '../support/redis-server.ts'
import { serve } from '../support/serve.ts'
import type { SiteServer } from '../support/site-server.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'

const PAGES = 63
const AT_ONCE = ['--repl-diskless-sync-delay', '0']

// Not on a cluster: there REPLICAOF can't detach a replica from its master, nor can a replica that is behind be
// promoted.
it('a job continues on a replica that was behind, and loses no URL', async () => {
  const master = await startRedis('--appendonly', 'yes')
  const replica = await startRedis('--replicaof', '127.0.0.1', `${master.port}`)
  const proxy = await startTcpProxy(master.port)
  onTestFinished(() => proxy.close())
  const site = await startTree()
  await until(async () => (await replica.ask('INFO')).includes('master_link_status:up'))

  const limits = { depth: 9, allowPrivate: true, delay: '20ms', lease: '1s' }
  const frontier = [`redis://127.0.0.1:${proxy.port}`]
  const crawl = startAgent({ seeds: [`${site.url}/1`], ...limits, frontier, job: 'tree' })
  await until(() => site.requests.length > site.room)
  // A replica receives nothing before it has acknowledged its copy, which it does once a second.
  await until(async () => (await replica.ask('KEYS', '*')).includes('tree'))
  await replica.ask('REPLICAOF', 'NO', 'ONE')
  site.room += 20
  await until(() => site.requests.length > site.room)
  // The connections stay open, and Redis loses what the replica hasn't received.
  await master.ask('REPLICAOF', '127.0.0.1', `${replica.port}`)
  await until(() => crawl.log().includes('is a replica'))
  proxy.target = replica.port
  site.room = Number.POSITIVE_INFINITY

  const { visits } = await crawl.ended
  expect(crawl.log()).toContain('the crawl continues')
  const pages = new Set(visits.map(({ url }) => Number(new URL(url).pathname.slice(1))))
  expect([...pages].toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: PAGES }, (_, page) => page + 1),
  )
  expect(visits.length).toBeGreaterThan(PAGES)
})

async function startRedis(...args: string[]): Promise<RedisServer> {
  const redis = await RedisServer.start(...AT_ONCE, ...args)
  onTestFinished(() => redis.close())
  return redis
}

/**
 * Starts a site on which one page only links to each page, so a lost link is noticed. After `room` requests, responses
 * wait.
 */
async function startTree() {
  const tree = { url: '', room: 20, requests: [] as SiteServer['requests'] }
  const site = await serve(async ({ url = '' }, response) => {
    await until(() => tree.requests.length <= tree.room)
    const page = Number(url.slice(1))
    if (!(page > 0)) return void response.writeHead(404).end()
    const children = [2 * page, 2 * page + 1].filter((child) => child <= PAGES)
    response.setHeader('content-type', 'text/html')
    response.end(children.map((child) => `<a href=/${child}>child</a>`).join(''))
  })
  return Object.assign(tree, { url: site.url, requests: site.requests })
}
