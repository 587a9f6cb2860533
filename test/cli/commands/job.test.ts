import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { JobQueue } from '../../../src/cluster/job-queue.ts'
import type { JobStore } from '../../../src/cluster/job-store.ts'
import { openJobs } from '../../../src/cluster/open-job-store.ts'
import { joinFresh } from '../../cluster/job-queue-contract.ts'
import { callCrawl } from '../../support/call-cli.ts'
import { RedisServer } from '../../support/redis-server.ts'

let redis: RedisServer

beforeAll(async () => {
  redis = await RedisServer.start()
})

afterAll(() => redis.close())

const job = (...words: string[]) => callCrawl(['job', ...words, '--frontier', redis.url])

it('crawl job list reports that there are no jobs, and leaves stdout empty', async () => {
  const said = { code: 0, stdout: '', stderr: 'crawl: there are no jobs on these servers\n' }
  expect(await job('list')).toMatchObject(said)
  expect(await job('list', '--json')).toMatchObject(said)
  expect(await job('show', 'news')).toMatchObject({
    code: 2,
    stderr: 'crawl: job news: no job of this name on these servers, and no other jobs\n',
  })
})

it('crawl job reports that the URL has a password and the server has none', async () => {
  const url = redis.url.replace('://', '://:secret@')
  expect(await callCrawl(['job', 'list', '--frontier', url])).toMatchObject({
    code: 7,
    stderr: `crawl: Redis at ${new URL(url).host} has no password: remove the password from its URL\n`,
  })
})

it('crawl job reports a server that stays unavailable, rather than wait for it in silence', async () => {
  const replica = await RedisServer.start('--replicaof', '127.0.0.1', '9')
  onTestFinished(() => replica.close())
  expect(await callCrawl(['job', 'list', '--frontier', replica.url])).toMatchObject({
    code: 7,
    stderr: `crawl: Redis at ${new URL(replica.url).host} is a replica: expected its address to lead to the master\n`,
  })
})

describe('crawl job on a server with jobs:', () => {
  let store: JobStore
  let queue: JobQueue

  beforeAll(async () => {
    store = await openJobs([redis.url])
    queue = await joinFresh(store, 'redis-set', 'news')
    await joinFresh(store, 'redis-set', 'shop')
  })

  afterAll(() => store.close())

  it.each(['show', 'pause', 'resume', 'stop', 'delete'])(
    '%s suggests a similar name, or else crawl job list',
    async (action) => {
      const none = 'no job of this name on these servers'
      const near = await job(action, 'nwes')
      expect(near).toMatchObject({
        code: 2,
        stderr: `crawl: job nwes: ${none} (did you mean news?)\n`,
      })
      const far = await job(action, 'other')
      expect(far.stderr).toBe(`crawl: job other: ${none}; crawl job list shows the others\n`)
    },
  )

  it('list refuses the name of a job', async () => {
    expect(await job('list', 'news')).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr:
        'crawl: job list: expected no name of a job, got `news`; crawl job show news shows it\n',
    })
  })

  it('delete refuses a job with processes, and counts killed ones until their lease ends', async () => {
    const beat = { isHungry: false, widened: [], seedHosts: [] }
    await queue.beat({ ...beat, agent: 'a', ttl: 60_000 })
    expect(await job('delete', 'news')).toMatchObject({
      code: 2,
      stderr:
        'crawl: job news: expected a job without processes, got 1 process; crawl job stop news ends it; a killed process counts until its lease ends\n',
    })
    await queue.beat({ ...beat, agent: 'a', ttl: 0 })
    expect(await job('delete', 'news')).toMatchObject({ code: 0, stdout: '', stderr: '' })
  })
})
