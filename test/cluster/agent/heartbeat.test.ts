import { expect, it, onTestFinished } from 'vitest'
import { jobKey } from '../../../src/cluster/redis/keys.ts'
import { serveSite } from '../../support/crawl-site.ts'
import { startAgent } from '../../support/job-agent.ts'
import { connect, RedisServer } from '../../support/redis-server.ts'

it('each host that seeds add to the scope is reported to the other processes', async () => {
  const redis = await RedisServer.start()
  onTestFinished(() => redis.close())
  const targets = await Promise.all([1, 2, 3].map(() => serveSite({ '/': 'here' })))
  const site = await serveSite(
    Object.fromEntries(
      targets.map(({ url }, index) => [
        `/${index}`,
        (_, response) => {
          // One after the other: each is to be told by another beat.
          setTimeout(() => response.writeHead(302, { location: `${url}/` }).end(), index * 300)
        },
      ]),
    ),
  )
  const seeds = targets.map((_, index) => `${site.url}/${index}`)
  const job = 'widening'
  const { visits } = await startAgent({ seeds, frontier: [redis.url], job }).ended
  const servers = await connect(redis.url)
  onTestFinished(() => servers.close())
  const key = jobKey(job, 'widened')
  const told = await servers.of(jobKey(job)).command(key, 'LRANGE', key, '0', '-1')
  expect(told).toEqual(targets.map(({ url }) => `${url}/`))
  expect(visits.map(({ url }) => url)).toEqual(
    expect.arrayContaining(targets.map(({ url }) => `${url}/`)),
  )
})
