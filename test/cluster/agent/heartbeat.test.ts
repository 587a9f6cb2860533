import { expect, it, onTestFinished } from 'vitest'
import { openJobs } from '../../../src/cluster/open-job-store.ts'
import { jobKey } from '../../../src/cluster/redis/keys.ts'
import { serveSite } from '../../support/crawl-site.ts'
import { startAgent } from '../../support/job-agent.ts'
import { connect, RedisServer } from '../../support/redis-server.ts'
import { startSlowSite } from '../../support/slow-site.ts'
import { until } from '../../support/until.ts'

it('each host that seeds add to the scope is reported to the other processes', async () => {
  const redis = await RedisServer.start()
  onTestFinished(() => redis.close())
  const targets = await Promise.all([1, 2, 3].map(() => serveSite({ '/': 'here' })))
  const site = await serveSite(
    Object.fromEntries(
      targets.map(({ url }, index) => [
        `/${index}`,
        (_, response) => {
          // One after the other, so that each is reported by another heartbeat.
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
  const reported = await servers.of(jobKey(job)).command(key, 'LRANGE', key, '0', '-1')
  expect(reported).toEqual(targets.map(({ url }) => `${url}/`))
  expect(visits.map(({ url }) => url)).toEqual(
    expect.arrayContaining(targets.map(({ url }) => `${url}/`)),
  )
})

it('the target of a redirect of a seed leads to its links, even in a process that was not told of its host yet', async () => {
  const redis = await RedisServer.start()
  onTestFinished(() => redis.close())
  const target = await serveSite({ '/': '<a href="/a">a</a>', '/a': 'here' })
  const answer = Promise.withResolvers<void>()
  const site = await serveSite({
    '/': (_, response) => {
      answer.promise.then(() => response.writeHead(302, { location: `${target.url}/` }).end())
    },
  })
  const shared = { seeds: [`${site.url}/`], frontier: [redis.url], job: 'news' }
  const settings = { ...shared, allowPrivate: true }
  const first = startAgent({ ...settings, maxPages: 1 })
  await until(() => site.requests.some(({ url }) => url === '/'))
  const second = startAgent(settings)
  await until(() => second.log().includes('Joined job news'))
  answer.resolve()
  await first.ended
  const { visits } = await second.ended
  expect(visits.map(({ url }) => url)).toEqual([`${target.url}/`, `${target.url}/a`])
})

it('each process of a paused job logs the pause once, even if it joins late, and the resumption', async () => {
  const redis = await RedisServer.start()
  onTestFinished(() => redis.close())
  const site = await startSlowSite()
  onTestFinished(() => site.close())
  const shared = { seeds: [site.url], frontier: [redis.url], job: 'news' }
  const settings = { ...shared, lease: '6s', logInterval: '100ms' }
  const first = startAgent(settings)
  const store = await openJobs([redis.url])
  onTestFinished(() => store.close())
  await until(() => site.requests.some(({ url }) => url === '/slow'))
  await until(async () => (await store.show('news')).visits === 2)
  await store.control('news', 'pause')
  const second = startAgent(settings)
  const agents = [first, second]
  const paused = 'Job news is paused, so nothing is requested; crawl job resume news continues it'
  for (const each of agents) {
    await until(
      () => each.log().includes(paused) && each.log().includes('Crawl: the job is paused'),
    )
  }
  await store.control('news', 'resume')
  await until(() => agents.every((each) => each.log().includes('Job news continues, after')))
  site.answer()
  for (const each of agents) {
    await each.ended
    expect(messagesIn(each.log()).filter((text) => text.startsWith('Job news'))).toEqual([
      paused,
      expect.stringMatching(/^Job news continues, after [\d.]+ m?s$/),
    ])
  }
  expect(messagesIn(first.log())).toContain('Began job news')
  const joined = 'Joined job news: 1 other process, 2 visits so far, 1 URL unfinished'
  expect(messagesIn(second.log())).toContain(joined)
})

it('a process logs that its job was stopped', async () => {
  const redis = await RedisServer.start()
  onTestFinished(() => redis.close())
  const site = await startSlowSite()
  onTestFinished(() => site.close())
  const agent = startAgent({ seeds: [site.url], frontier: [redis.url], job: 'news' })
  await until(() => site.requests.some(({ url }) => url === '/slow'))
  const store = await openJobs([redis.url])
  onTestFinished(() => store.close())
  await store.control('news', 'stop')
  const logLine = 'Job news was stopped, so this process ends; crawl job resume news'
  await until(() => agent.log().includes(logLine))
  site.answer()
  expect((await agent.ended).summary.reason).toBe('stopped')
  expect(agent.log().split(logLine)).toHaveLength(2)
})

function messagesIn(log: string): string[] {
  const lines = log.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line).msg)
}
