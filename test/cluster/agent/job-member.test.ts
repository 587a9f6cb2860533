import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findJob } from '../../../src/cluster/join-job.ts'
import { openJobStore } from '../../../src/cluster/open-job-store.ts'
import { resolveConfig } from '../../../src/config/resolve-config.ts'
import { startCrawl } from '../../../src/crawl/start-crawl.ts'
import { CrawlerError } from '../../../src/errors.ts'
import { silentLogger } from '../../../src/logger.ts'
import { VisitIterator } from '../../../src/output/visit-iterator.ts'
import { RedisServer } from '../../support/redis-server.ts'
import { startServer } from '../../support/site-server.ts'
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

it('a process that waits for Redis with ended leases ends 5 s after it is interrupted', async () => {
  const redis = await RedisServer.start()
  onTestFinished(() => redis.close())
  const site = await startServer((_, response) => void response.end('no link'))
  onTestFinished(() => site.close())
  const seeds = Array.from({ length: 40 }, (_, page) => `${site.url}/${page}`)
  const settings = { seeds, frontier: [redis.url], job: 'a', lease: '1s' }
  const config = resolveConfig({ ...settings, workers: 1, ignoreRobots: true, delay: '1s' })
  const job = await findJob(config, silentLogger())
  const crawl = startCrawl(config, { visits: new VisitIterator(), job }, silentLogger())
  await until(() => site.requests.length === 1)
  // During the delay, no request is in flight: the end would wait for its page.
  await sleep(300)
  await redis.kill()
  await sleep(2_000)
  const since = performance.now()
  crawl.stop()
  expect(await crawl.finished).toMatchObject({ reason: 'stopped' })
  expect(performance.now() - since).toBeLessThan(7_000)
})

it('a process whose response waits for Redis ends 5 s after it is interrupted', async () => {
  const redis = await RedisServer.start()
  onTestFinished(() => redis.close())
  const reply = Promise.withResolvers<void>()
  const site = await startServer(async (_, response) => {
    await reply.promise
    response.end('no link')
  })
  onTestFinished(() => site.close())
  const settings = { seeds: [site.url], frontier: [redis.url], job: 'a', lease: '1s' }
  const config = resolveConfig({ ...settings, workers: 1, ignoreRobots: true })
  const job = await findJob(config, silentLogger())
  const crawl = startCrawl(config, { visits: new VisitIterator(), job }, silentLogger())
  await until(() => site.requests.length === 1)
  await redis.kill()
  await sleep(2_000)
  // The lease has ended, so whether the response counts depends on Redis.
  reply.resolve()
  await sleep(500)
  const since = performance.now()
  crawl.stop()
  expect(await crawl.finished).toMatchObject({ reason: 'stopped' })
  expect(performance.now() - since).toBeLessThan(7_000)
})

describe('a process gives its hosts back at once, without pages whose records may be lost,', () => {
  /** An output whose disk is full after the first visit. */
  class FullOutput extends VisitIterator {
    #hasVisit = false

    override write(visits: Parameters<VisitIterator['write']>[0]): void {
      super.write(visits)
      this.#hasVisit ||= visits.length > 0
    }

    override async sync(): ReturnType<VisitIterator['sync']> {
      if (this.#hasVisit) throw new CrawlerError('output', 'full')
      return {}
    }
  }

  it.each([
    ['the reader of its output has gone', new VisitIterator(), { reason: 'output-closed' }],
    ['its output fails', new FullOutput(), { message: 'full' }],
  ])('if %s', async (_, visits, end) => {
    const redis = await RedisServer.start()
    onTestFinished(() => redis.close())
    const links = Array.from({ length: 20 }, (_, page) => `<a href="/${page}">`).join('')
    const site = await startServer((_, response) => {
      response.setHeader('content-type', 'text/html').end(links)
    })
    onTestFinished(() => site.close())
    const seeds = [`${site.url}/`]
    const settings = { seeds, frontier: [redis.url], job: 'a', workers: 1, delay: '20ms' }
    const config = resolveConfig(settings)
    const job = await findJob(config, silentLogger())
    const crawl = startCrawl(config, { visits, job }, silentLogger())
    await visits.next()
    if ('reason' in end) await visits.return()
    expect(await crawl.finished.catch((error) => error)).toMatchObject(end)
    const store = await openJobStore([redis.url], silentLogger())
    onTestFinished(() => store.close())
    const report = await store.show('a')
    expect(report).toMatchObject({ state: 'running', agents: 0, held: 0 })
    expect(report.open).toBeGreaterThan(0)
  })
})

it('a process whose job has gone as a whole says so, whatever it misses first', async () => {
  const redis = await RedisServer.start()
  onTestFinished(() => redis.close())
  const site = await startServer(async (_, response) => {
    await redis.ask('FLUSHALL')
    response.end()
  })
  onTestFinished(() => site.close())
  const config = resolveConfig({ seeds: [`${site.url}/`], frontier: [redis.url], job: 'a' })
  const job = await findJob(config, silentLogger())
  const crawl = startCrawl(config, { visits: new VisitIterator(), job }, silentLogger())
  const message = 'job a is not in Redis: it was deleted, or Redis lost its data'
  await expect(crawl.finished).rejects.toThrow(message)
})

it('a process that finds its job damaged leaves it, so that the job can be deleted', async () => {
  const redis = await RedisServer.start()
  onTestFinished(() => redis.close())
  const site = await startServer(async (_, response) => {
    const [partition = ''] = (await redis.ask('KEYS', 'ow:{a:*}:leases')).split('\n')
    await redis.ask('SET', partition, 'damage')
    response.end()
  })
  onTestFinished(() => site.close())
  const config = resolveConfig({ seeds: [`${site.url}/`], frontier: [redis.url], job: 'a' })
  const job = await findJob(config, silentLogger())
  const crawl = startCrawl(config, { visits: new VisitIterator(), job }, silentLogger())
  await expect(crawl.finished).rejects.toThrow('contains a damaged job')
  const store = await openJobStore([redis.url], silentLogger())
  onTestFinished(() => store.close())
  await store.delete('a')
})

it('a process whose job lost its key leaves it, so that the rest can be deleted', async () => {
  const redis = await RedisServer.start()
  onTestFinished(() => redis.close())
  const site = await startServer(async (_, response) => {
    await redis.ask('DEL', 'ow:{a}')
    response.end()
  })
  onTestFinished(() => site.close())
  const seeds = Array.from({ length: 40 }, (_, page) => `${site.url}/${page}`)
  const config = resolveConfig({ seeds, frontier: [redis.url], job: 'a', delay: '1s' })
  const job = await findJob(config, silentLogger())
  const crawl = startCrawl(config, { visits: new VisitIterator(), job }, silentLogger())
  await expect(crawl.finished).rejects.toThrow('job a is not in Redis')
  const store = await openJobStore([redis.url], silentLogger())
  onTestFinished(() => store.close())
  await store.delete('a')
})
