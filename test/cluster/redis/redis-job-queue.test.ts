import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { partitionKey } from '../../../src/cluster/redis/keys.ts'
import { openRedisJobStore } from '../../../src/cluster/redis/redis-job-store.ts'
import type { Servers } from '../../../src/cluster/redis/servers.ts'
import { DamageError } from '../../../src/errors.ts'
import { silentLogger } from '../../../src/logger.ts'
import { RedisCluster } from '../../support/redis-cluster.ts'
import { connect, RedisServer } from '../../support/redis-server.ts'
import { REDIS_SETUPS } from '../../support/redis-setups.ts'
import { until } from '../../support/until.ts'
import {
  idleReport,
  joinFresh,
  OnePartition,
  testJobQueue,
  untilLeased,
} from '../job-queue-contract.ts'

describe.each(REDIS_SETUPS)('on %s', (_, start) => {
  const open = async () => openRedisJobStore([(await start()).url], silentLogger())

  testJobQueue(open)

  describe('the clock of a server that is set back', () => {
    let servers: Servers

    beforeAll(async () => {
      servers = await connect((await start()).url)
    })

    afterAll(() => servers.close())

    /** Shifts stored times, as if the server's clock had been set back since. */
    async function setClockBack(job: string, one: OnePartition, ms: number): Promise<void> {
      const prefix = partitionKey(job, one.partition)
      const server = servers.of(prefix)
      const moved = (kept: unknown) => `${Number(kept) + ms}`
      for (const zset of [`${prefix}:leases`, `${prefix}:schedule`]) {
        await server.command(zset, 'ZADD', zset, 'XX', 'INCR', `${ms}`, one.host)
      }
      const [heard, host] = [`${prefix}:heard`, `${prefix}:host:${one.host}`]
      await server.command(heard, 'SET', heard, moved(await server.command(heard, 'GET', heard)))
      const before = await server.command(host, 'HGET', host, 'before')
      if (before !== null) await server.command(host, 'HSET', host, 'before', moved(before))
    }

    it('extends neither leases nor the waits of hosts', async () => {
      const store = await open()
      const queue = await joinFresh(store)
      const one = new OnePartition(queue)
      await one.push([`https://${one.host}/`])
      const watch = () => queue.watchPartitions(0, 200)
      await watch()
      const [host] = (await one.exchange('a', { ttl: 200 })).hosts
      await setClockBack(queue.name, one, 86_400_000)
      expect((await one.exchange('b', { ttl: 200 })).hosts).toEqual([])
      const next = await untilLeased(() => one.exchange('b', { ttl: 200 }), watch)
      expect(next.epoch).not.toBe(host?.epoch)
      const report = { ...idleReport(next.epoch), unfinished: 1, release: true }
      await one.exchange('b', { held: [{ ...report, past: '{}', wait: 60_000 }], hosts: 0 })
      await setClockBack(queue.name, one, 86_400_000)
      const patient = { longestPause: 300 }
      const since = performance.now()
      expect((await one.exchange('c', patient)).hosts).toEqual([])
      const { wait } = await untilLeased(() => one.exchange('c', patient))
      expect(wait).toBeLessThanOrEqual(300)
      expect(performance.now() - since).toBeGreaterThan(290)
      store.close()
    })
  })

  it('stores nothing that expires, so that a Redis with volatile-lru evicts nothing', async () => {
    const [store, servers] = [await open(), await connect((await start()).url)]
    const queue = await joinFresh(store)
    const one = new OnePartition(queue)
    await one.push([`https://${one.host}/`])
    await one.exchange('a', { ttl: 60_000 })
    await queue.watchPartitions(0, 60_000)
    await queue.beat({ agent: 'a', ttl: 60_000, isHungry: true, widened: [], seedHosts: [] })
    await queue.reserve([{ name: 'requests', perSecond: 1, needed: 1, wanted: 0 }])
    const times = new Map<string, unknown>()
    for (const server of servers.all) {
      for await (const keys of server.keys(`ow:{${queue.name}*`)) {
        for (const key of keys) times.set(key, await server.command(key, 'TTL', key))
      }
    }
    expect([...times].filter(([, time]) => time !== -1)).toEqual([])
    expect(times.size).toBeGreaterThan(10)
    for (const each of [store, servers]) each.close()
  })

  it('names the job and Redis if its data is damaged', async () => {
    const store = await open()
    expect(store.describeError('news', new DamageError('its queue: no'))).toMatchObject({
      message: 'job news is damaged in Redis: its queue: no',
    })
    store.close()
  })
})

it('calls wait while a cluster moves a partition to another node, and do nothing by halves', async () => {
  const cluster = await RedisCluster.start()
  const store = await openRedisJobStore([cluster.url], silentLogger())
  onTestFinished(async () => {
    store.close()
    await cluster.close()
  })
  await Promise.all([callDuringMove(true), callDuringMove(false)])

  /** @param movesMain true if the keys that have moved are the main key of the partition, false for all others */
  async function callDuringMove(movesMain: boolean): Promise<void> {
    const queue = await joinFresh(store)
    const one = new OnePartition(queue)
    const urls = [0, 1, 2].map((page) => `https://${one.host}/${page}`)
    await one.push(urls.slice(0, 2))
    const main = partitionKey(queue.name, one.partition)
    const moveRest = await cluster.beginMove(main, (key) => (key === main) === movesMain)
    let ended = 0
    const note = <T>(call: Promise<T>) => call.finally(() => ended++)
    const exchanged = note(one.exchange('a'))
    const others = [note(one.push(urls.slice(2))), note(queue.watchPartitions(0, 60_000))]
    await sleep(500)
    expect(ended).toBe(0)

    await moveRest()
    await Promise.all(others)
    const [host] = (await exchanged).hosts
    const report = { ...idleReport(host?.epoch ?? ''), unfinished: host?.urls.length ?? 0 }
    const { hosts } = await one.exchange('a', { held: [{ ...report, want: 3 }] })
    const handedOut = [...(host?.urls ?? []), ...(hosts[0]?.urls ?? [])].map(({ text }) => text)
    expect(handedOut.toSorted()).toEqual(urls)
    expect((await queue.viewPartitions())[one.partition]).toMatchObject({
      added: 3,
      open: [[0, 3]],
    })
  }
})

/** Starts a server for the rest of the test, and joins a new job on it. */
async function startJob() {
  const redis = await RedisServer.start()
  const store = await openRedisJobStore([redis.url], silentLogger())
  onTestFinished(async () => {
    store.close()
    await redis.close()
  })
  const queue = await joinFresh(store)
  const reserve = () => queue.reserve([{ name: 'requests', perSecond: 20, needed: 4, wanted: 0 }])
  return { redis, queue, reserve }
}

it('permits of a rate are reserved at once after the clock of the server was set back', async () => {
  const { redis, queue, reserve } = await startJob()
  await redis.ask('SET', `ow:{${queue.name}}:rate:requests`, `${(Date.now() + 3_600_000) * 1_000}`)
  const since = performance.now()
  await until(async () => ((await reserve()).grants[0]?.count ?? 0) > 0)
  expect(performance.now() - since).toBeLessThan(1_000)
})

it('a process that ends later than its job is deleted stores no permits', async () => {
  const { redis, reserve } = await startJob()
  await reserve()
  await redis.ask('FLUSHALL')
  expect(await reserve()).toMatchObject({ grants: [{ delay: 0, count: 4 }] })
  expect(await redis.ask('DBSIZE')).toBe('0\n')
})

it('a lease lasts while an agent waits for its server to take new URLs', async () => {
  const { redis, queue } = await startJob()
  const one = new OnePartition(queue)
  await one.push([`https://${one.host}/`])
  const watch = () => queue.watchPartitions(0, 400)
  await watch()
  await one.exchange('a', { ttl: 400 })
  await redis.ask('CLIENT', 'PAUSE', '1000')
  await one.push([`https://${one.host}/next`])
  await watch()
  expect((await one.exchange('b')).hosts).toEqual([])
})
