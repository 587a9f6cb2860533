import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlJob, deleteJob, listJobs, showJob } from '../../../src/cluster/redis/job-control.ts'
import { partitionKey } from '../../../src/cluster/redis/partition-views.ts'
import { RedisJobQueue } from '../../../src/cluster/redis/redis-job-queue.ts'
import type { RedisSeenName } from '../../../src/cluster/redis/seen-scheme.ts'
import type { Servers } from '../../../src/cluster/redis/servers.ts'
import { hostKey } from '../../../src/url/host-key.ts'
import { connect } from '../../support/redis-server.ts'
import { freshName, REDIS_SETUPS } from '../../support/redis-setups.ts'

const HOST = 'www.baidu.com'
const WORDS = Array.from({ length: 100 }, (_, word) => `https://${HOST}/s?wd=${word}`)
const seen = (name: RedisSeenName) => {
  return { name, expectedUrls: 1_000, falsePositiveRate: 1e-6, forgetAfter: 60_000 }
}

describe.each(REDIS_SETUPS)('on %s', (_, start) => {
  let servers: Servers

  beforeAll(async () => {
    servers = await connect((await start()).url)
  })

  afterAll(() => servers.close())

  /** A new job, and what agents do to the partition of the host. */
  async function begin(name: RedisSeenName = 'redis-set') {
    const job = await RedisJobQueue.join(servers, freshName(), {}, seen(name))
    const { partitions } = job
    const partition = partitions.of(HOST)
    const key = (name: string) => `${partitionKey(job.name, partition)}:${name}`
    return {
      job,
      /** Moves what was kept, as if the server's clock had been set back since. */
      async setClockBack(ms: number): Promise<void> {
        const server = servers.of(partitionKey(job.name, partition))
        const moved = (kept: unknown) => `${Number(kept) + ms}`
        for (const zset of ['leases', 'schedule'].map(key)) {
          await server.command(zset, 'ZADD', zset, 'XX', 'INCR', `${ms}`, HOST)
        }
        const [heard, host] = [key('heard'), key(`host:${HOST}`)]
        await server.command(heard, 'SET', heard, moved(await server.command(heard, 'GET', heard)))
        const before = await server.command(host, 'HGET', host, 'before')
        if (before !== null) await server.command(host, 'HSET', host, 'before', moved(before))
      },
      push: (urls: readonly string[], depth = 0) =>
        partitions.push(
          partition,
          urls.map((url) => ({ url, host: hostKey(url), depth, text: url })),
        ),
      exchange: (agent: string, request: Partial<Parameters<typeof partitions.exchange>[1]> = {}) =>
        partitions.exchange(partition, {
          ...{
            agent,
            ttl: 60_000,
            longestPause: 60_000,
            horizon: 0,
            hosts: 1,
            batch: 1_000,
            held: [],
          },
          ...request,
        }),
    }
  }

  /** What an agent tells that has nothing to tell. */
  const held = (epoch: string) => ({ host: HOST, epoch, done: [], known: 0, want: 1_000 })

  describe.each(['redis-bloom', 'redis-set', 'redis-keys'] as const)('%s', (name) => {
    it('lets 100 of 110 requests through, and filters 10, as Scrapy-Redis should', async () => {
      const { push, exchange } = await begin(name)
      await push(WORDS.slice(0, 10))
      await push(WORDS)
      const { hosts, known } = await exchange('a')
      expect(hosts[0]?.urls.map(({ text }) => text)).toEqual(WORDS)
      expect(known).toBe(10)
    })

    it('gives each URL to one of two agents that race', async () => {
      const { push, exchange } = await begin(name)
      await Promise.all([push(WORDS), push(WORDS.slice(0, 10)), push(WORDS)])
      const [first, second] = await Promise.all([exchange('a'), exchange('b')])
      const urls = [...(first?.hosts ?? []), ...(second?.hosts ?? [])].flatMap((host) => host.urls)
      expect(urls.map(({ text }) => text).toSorted()).toEqual(WORDS.toSorted())
      expect((first?.known ?? 0) + (second?.known ?? 0)).toBe(110)
    })
  })

  describe('a lease', () => {
    it('hands out nothing beyond the horizon', async () => {
      const { push, exchange } = await begin()
      await push(WORDS.slice(0, 2), 1)
      expect((await exchange('a')).hosts).toEqual([])
      expect((await exchange('a', { horizon: 1 })).hosts[0]?.urls).toHaveLength(2)
    })

    it('gives what was out to the next agent when it has ended, and refuses the first one', async () => {
      const { push, exchange } = await begin()
      await push(WORDS.slice(0, 3))
      const [first] = (await exchange('a', { ttl: 1 })).hosts
      const [one] = first?.urls ?? []
      const again = await until(() => exchange('b', { ttl: 1_000 }))
      expect(again.urls.map(({ text, attempts }) => [text, attempts])).toEqual(
        WORDS.slice(0, 3).map((url) => [url, 1]),
      )
      const late = { ...held(first?.epoch ?? ''), done: [one?.id ?? ''], past: 'late', wait: 0 }
      expect((await exchange('a', { held: [late] })).lost).toEqual([HOST])
      expect((await exchange('b', { held: [held(again.epoch)] })).hosts[0]?.urls).toHaveLength(3)
    })

    it('hands the past of a host to the next agent, and what is not finished', async () => {
      const { push, exchange } = await begin()
      await push(WORDS.slice(0, 3))
      const [host] = (await exchange('a')).hosts
      const told = { past: '{"pages":2}', wait: 0, robots: { 'https://a.b': 'rules' } }
      const [first, second] = host?.urls ?? []
      const done = [first?.id ?? '']
      const back = { ...held(host?.epoch ?? ''), ...told, done, known: 2, release: true }
      await exchange('a', { held: [back], hosts: 0 })
      // The clock of a server may be set back a little.
      const next = await until(() => exchange('b'))
      expect(next).toMatchObject({ past: told.past, robots: [['https://a.b', 'rules']] })
      expect(next.urls.map(({ text }) => text)).toEqual(WORDS.slice(1, 3))
      expect(next.urls[0]).toMatchObject({ text: second?.text, attempts: 0 })
    })

    it('keeps a host to itself until it may be asked', async () => {
      const { push, exchange } = await begin()
      await push(WORDS.slice(0, 1))
      const [host] = (await exchange('a')).hosts
      const back = { ...held(host?.epoch ?? ''), past: '{}', wait: 60_000, known: 1, release: true }
      await exchange('a', { held: [back], hosts: 0 })
      expect((await exchange('b')).hosts).toEqual([])
    })

    it('lasts no longer, and no host waits longer, when the clock of the server is set back', async () => {
      const { push, exchange, setClockBack } = await begin()
      await push(WORDS.slice(0, 1))
      const [host] = (await exchange('a', { ttl: 200 })).hosts
      await setClockBack(86_400_000)
      expect((await exchange('b', { ttl: 200 })).hosts).toEqual([])
      const next = await until(() => exchange('b', { ttl: 200 }))
      expect(next.epoch).not.toBe(host?.epoch)
      const back = { ...held(next.epoch), past: '{}', wait: 60_000, known: 1, release: true }
      await exchange('b', { held: [back], hosts: 0 })
      await setClockBack(86_400_000)
      const patient = { longestPause: 300 }
      const since = performance.now()
      expect((await exchange('c', patient)).hosts).toEqual([])
      expect((await until(() => exchange('c', patient))).wait).toBeLessThanOrEqual(300)
      expect(performance.now() - since).toBeGreaterThan(290)
    })

    it('gives a host back that was handed out in an answer which never came', async () => {
      const { push, exchange } = await begin()
      await push(WORDS.slice(0, 2))
      await exchange('a')
      expect((await exchange('a')).hosts).toEqual([])
      const [again] = (await exchange('a', { all: true })).hosts
      expect(again?.urls.map(({ attempts }) => attempts)).toEqual([0, 0])
    })

    it('gives an answer again that was lost on its way', async () => {
      const { push, exchange } = await begin()
      await push(WORDS.slice(0, 3))
      const [host] = (await exchange('a', { batch: 1 })).hosts
      const epoch = host?.epoch ?? ''
      await exchange('a', { held: [{ ...held(epoch), known: 1 }] })
      const [all] = (await exchange('a', { held: [{ ...held(epoch), known: 1 }] })).hosts
      expect(all?.urls.map(({ text }) => text).toSorted()).toEqual(WORDS.slice(0, 3).toSorted())
    })
  })

  describe('a job', () => {
    it('is paused, stopped and resumed, and deleted when nobody takes part', async () => {
      const { job, push } = await begin()
      const doing = { visits: 3, bytes: 5 }
      await push(WORDS.slice(0, 2))
      expect(await job.beat('a', 60_000, doing, true, ['http://b.c/'])).toEqual({
        ...{ state: 'running', agents: 1, hungry: 1, widened: ['http://b.c/'] },
      })
      await controlJob(servers, job.name, 'pause')
      expect(await job.beat('b', 60_000, doing, false, [])).toMatchObject({
        ...{ state: 'paused', agents: 2, hungry: 1 },
      })
      const report = {
        state: 'paused',
        agents: 2,
        visits: 6,
        bytes: 10,
        added: 2,
        open: 2,
        held: 0,
      }
      expect(await showJob(servers, job.name)).toMatchObject(report)
      await expect(deleteJob(servers, job.name)).rejects.toThrow('got 2 agents')
      await controlJob(servers, job.name, 'stop')
      for (const agent of ['a', 'b']) await job.beat(agent, 0, doing, true, [])
      await deleteJob(servers, job.name)
      expect(await job.beat('a', 1_000, doing, false, [])).toBeUndefined()
      expect(await listJobs(servers)).not.toContain(job.name)
      await expect(showJob(servers, job.name)).rejects.toThrow('got none of this name')
    })

    it('is not resumed when it is finished', async () => {
      const { job } = await begin()
      await job.finish()
      await expect(controlJob(servers, job.name, 'resume')).rejects.toThrow('got a finished one')
    })
  })
})

async function until(
  ask: () => Promise<Awaited<ReturnType<RedisJobQueue['partitions']['exchange']>>>,
) {
  for (;;) {
    const [host] = (await ask()).hosts
    if (host !== undefined) return host
  }
}
