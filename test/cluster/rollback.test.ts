import { expect, it, onTestFinished } from 'vitest'
import { startAgent } from '../support/job-agent.ts'
import { RedisServer } from '../support/redis-server.ts'
import { serve } from '../support/serve.ts'
import type { SiteServer } from '../support/site-server.ts'
import { until } from '../support/until.ts'

const PAGES = 63

it.each([
  ['on a Redis', 1, ''],
  ['on two Redis servers', 2, ', and URLs are missing if that copy is more than 10 s old'],
])(
  'a job %s that restarts from a snapshot loses no new link, and says once which visits are lost',
  async (_, count, risk) => {
    const servers = await Promise.all(Array.from({ length: count }, () => startRedis()))
    const site = await startTree()
    const limits = { depth: 9, delay: '30ms', lease: '4s' }
    const frontier = servers.map(({ url }) => url)
    const crawl = startAgent({ seeds: [`${site.url}/1`], ...limits, frontier, job: 'tree' })
    await until(() => site.requests.length > 10)
    await Promise.all(servers.map((redis) => redis.ask('SAVE')))
    await until(() => site.requests.length > 40)
    await Promise.all(servers.map((redis) => redis.kill()))
    await Promise.all(servers.map((redis) => redis.run()))
    const { visits } = await crawl.ended
    expect(new Set(visits.map(({ url }) => url)).size).toBe(PAGES)
    expect(visits.length).toBeGreaterThan(PAGES + 10)
    const lines = crawl.log().trimEnd().split('\n')
    const messages = lines.map((line): string => JSON.parse(line).msg)
    const warnings = messages.filter((message) => message.includes('older copy'))
    expect(warnings.map((message) => message.replace(/\d+ visits/, 'N visits'))).toEqual([
      `Redis came back with an older copy of job tree, without the last N visits: their pages are fetched again, and have two records${risk} (with appendonly yes, a restart loses nothing)`,
    ])
  },
)

async function startRedis(): Promise<RedisServer> {
  const redis = await RedisServer.start()
  onTestFinished(() => redis.close())
  return redis
}

/** Starts a site on which one page only links to each page, so a lost link is noticed. */
function startTree(): Promise<SiteServer> {
  return serve(({ url = '' }, response) => {
    const page = Number(url.slice(1))
    if (!(page > 0)) return void response.writeHead(404).end()
    const children = [2 * page, 2 * page + 1].filter((child) => child <= PAGES)
    response.setHeader('content-type', 'text/html')
    response.end(children.map((child) => `<a href=/${child}>child</a>`).join(''))
  })
}
