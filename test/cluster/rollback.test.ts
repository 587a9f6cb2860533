import { expect, it, onTestFinished } from 'vitest'
import { startAgent } from '../support/job-agent.ts'
import { RedisServer } from '../support/redis-server.ts'
import { serve } from '../support/serve.ts'
import { until } from '../support/until.ts'

const PAGES = 63

it('a job on a Redis that restarts from an older snapshot loses no page, and says once which are fetched again', async () => {
  const redis = await RedisServer.start()
  onTestFinished(() => redis.close())
  const site = await serve(({ url = '' }, response) => {
    const page = Number(url.slice(1))
    if (!(page > 0)) return void response.writeHead(404).end()
    const children = [2 * page, 2 * page + 1].filter((child) => child <= PAGES)
    response.setHeader('content-type', 'text/html')
    response.end(children.map((child) => `<a href=/${child}>child</a>`).join(''))
  })
  const limits = { depth: 9, delay: '30ms', lease: '4s' }
  const crawl = startAgent({
    ...{ seeds: [`${site.url}/1`], ...limits, frontier: [redis.url], job: 'tree' },
  })
  await until(() => site.requests.length > 10)
  await redis.ask('SAVE')
  await until(() => site.requests.length > 40)
  await redis.kill()
  await redis.run()
  const { visits } = await crawl.ended
  const pages = new Set(visits.map(({ url }) => Number(new URL(url).pathname.slice(1))))
  expect(pages.size).toBe(PAGES)
  const [warning, ...others] = crawl
    .log()
    .split('\n')
    .filter((line) => line.includes('older copy'))
  expect(warning).toMatch(
    /Redis came back with an older copy of job tree, without the last \d+ visits: their pages are fetched again, and have two records \(with appendonly yes, a restart loses nothing\)/,
  )
  expect(others).toEqual([])
  expect(visits.length).toBeGreaterThan(PAGES + 10)
})
