import { expect, it, onTestFinished } from 'vitest'
import { findJob } from '../../../src/cluster/join-job.ts'
import { resolveConfig } from '../../../src/config/resolve-config.ts'
import { startCrawl } from '../../../src/crawl/start-crawl.ts'
import { silentLogger } from '../../../src/logger.ts'
import { VisitIterator } from '../../../src/output/visit-iterator.ts'
import { RedisServer } from '../../support/redis-server.ts'
import { until } from '../../support/until.ts'

it('a process that cannot join its job, since Redis is away, ends when it is interrupted', async () => {
  const redis = await RedisServer.start()
  onTestFinished(() => redis.close())
  const seeds = ['http://a.test/']
  const config = resolveConfig({ seeds, frontier: [redis.url], job: 'a', workers: 1 })
  const job = await findJob(config, silentLogger())
  await redis.kill()
  const crawl = startCrawl(config, { visits: new VisitIterator(), job }, silentLogger())
  await until(async () => crawl.hasBegun())
  crawl.stop()
  expect(await crawl.finished).toMatchObject({ reason: 'stopped', visits: 0 })
})
