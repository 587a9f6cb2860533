import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JobQueue } from '../../../src/cluster/job-queue.ts'
import type { JobStore } from '../../../src/cluster/job-store.ts'
import { openClient, type RedisClient } from '../../../src/cluster/redis/client.ts'
import { jobKey, partitionKey } from '../../../src/cluster/redis/keys.ts'
import { openRedisJobStore } from '../../../src/cluster/redis/redis-job-store.ts'
import type { SharedSeenName } from '../../../src/cluster/shared-seen-options.ts'
import { silentLogger } from '../../../src/logger.ts'
import { RedisServer } from '../../support/redis-server.ts'
import { joinFresh, OnePartition } from '../job-queue-contract.ts'

let redis: RedisServer
let client: RedisClient
let store: JobStore

beforeAll(async () => {
  redis = await RedisServer.start()
  client = await openClient(redis.url)
  store = await openRedisJobStore([redis.url], silentLogger())
})

afterAll(async () => {
  store.close()
  client.close()
  await redis.close()
})

const ask = (name: string, ...words: string[]) => client.command('', name, ...words)
const urls = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, place) => `https://www.baidu.com/${from + place}`)

/** Begins a job with two URLs that passed the seen test and two that wait. */
async function begin(seen: SharedSeenName = 'redis-bloom') {
  const queue = await joinFresh(store, seen)
  const one = new OnePartition(queue)
  await one.push(urls(0, 2))
  const [host] = (await one.exchange('a')).hosts
  await one.push(urls(2, 4))
  const report = { host: one.host, epoch: host?.epoch ?? '', done: [], unfinished: 2, want: 9 }
  return {
    queue,
    key: (part: string) => `${partitionKey(queue.name, one.partition)}${part}`,
    exchange: () => one.exchange('a', { held: [report] }),
  }
}

const rejoin = (queue: JobQueue, seen?: SharedSeenName) => joinFresh(store, seen, queue.name)

describe('a job whose own key is gone', () => {
  it('is not started anew over the remaining queues', async () => {
    const { queue } = await begin()
    await ask('DEL', jobKey(queue.name))
    await expect(store.show(queue.name)).rejects.toThrow(`${jobKey(queue.name)} is gone`)
    for (const _ of 'twice') {
      await expect(rejoin(queue)).rejects.toThrow(': it belongs to another job')
    }
    await expect(store.show(queue.name)).rejects.toThrow(': it belongs to another job')
  })

  it('can be deleted, and started anew then', async () => {
    const { queue } = await begin()
    await ask('DEL', jobKey(queue.name))
    await store.delete(queue.name)
    expect(await ask('KEYS', `*${queue.name}*`)).toEqual([])
    expect(await rejoin(queue)).toMatchObject({ state: 'running' })
  })

  it('is refused with the key of another job', async () => {
    const [{ queue }, other] = [await begin(), await begin()]
    await ask('COPY', jobKey(other.queue.name), jobKey(queue.name), 'REPLACE')
    await expect(rejoin(queue)).rejects.toThrow(': it belongs to another job')
  })
})

it('a job of another format version is refused', async () => {
  const { queue } = await begin()
  await ask('HDEL', jobKey(queue.name), 'format')
  const message =
    'expected format 5, got 1, created by another version: continue it with that version, or crawl job delete'
  await expect(rejoin(queue)).rejects.toThrow(message)
  await expect(store.show(queue.name)).rejects.toThrow(message)
})

describe('a partition', () => {
  it('that is gone is refused by all calls that use it', async () => {
    const { queue, key, exchange } = await begin()
    for (const part of ['', ':counts', ':queue:0:www.baidu.com']) await ask('DEL', key(part))
    await expect(exchange()).rejects.toThrow('contains a damaged job: ow:')
    await expect(queue.push(queue.partitionOf('www.baidu.com'), [])).resolves.toBeUndefined()
    await expect(new OnePartition(queue).push(urls(5, 6))).rejects.toThrow(
      `${key('')} is gone: it was deleted, or Redis lost its data`,
    )
    await expect(queue.viewPartitions()).rejects.toThrow(`${key('')}: it is gone`)
    await expect(rejoin(queue)).rejects.toThrow(`${key('')}: it is gone`)
  })

  it('with lower counts than URLs is refused, since the rest would be lost', async () => {
    const { key, exchange } = await begin()
    await ask('HSET', key(':counts'), '0', '1')
    await expect(exchange()).rejects.toThrow('its counts: expected more URLs of depth 0')
  })

  it('whose queue was replaced by an older, longer one is refused', async () => {
    const { key, exchange } = await begin('redis-set')
    const [item = ''] = [await ask('LRANGE', key(':queue:0:www.baidu.com'), '0', '0')].flat()
    const older = Array.from({ length: 9 }, () => String(item))
    await ask('LPUSH', key(':queue:0:www.baidu.com'), ...older)
    await expect(exchange()).rejects.toThrow('its counts: expected more URLs of depth 0')
  })
})

describe('a seen set', () => {
  const missing = 'is not as it was left, or is gone'

  it.each([
    ['gone', ['DEL']],
    ['others', ['SET', 'x']],
    ['longer', ['APPEND', 'x']],
  ])('whose bits are %s is refused', async (_, [name = '', ...words]) => {
    const { key, exchange } = await begin()
    if (name === 'SET') await ask('DEL', key(':bloom:0:0'))
    await ask(name, key(':bloom:0:0'), ...words)
    await expect(exchange()).rejects.toThrow(missing)
  })

  it('whose bits were replaced by older ones is refused', async () => {
    const { queue, key, exchange } = await begin()
    await ask('COPY', key(':bloom:0:0'), key(':kept'))
    await exchange()
    await ask('COPY', key(':kept'), key(':bloom:0:0'), 'REPLACE')
    await new OnePartition(queue).push(urls(4, 5))
    await expect(exchange()).rejects.toThrow(missing)
  })

  it.each([
    ['redis-bloom', [':bloom', ':bloom:0:0']],
    ['redis-set', [':seen']],
  ] as const)('%s whose keys are gone is refused', async (seen, parts) => {
    const { key, exchange } = await begin(seen)
    for (const part of parts) await ask('DEL', key(part))
    await expect(exchange()).rejects.toThrow('its seen set: expected 2 URLs, got 0')
  })
})

it.each(['widened', 'found'])('a job whose key `%s` is gone is refused', async (part) => {
  const { queue } = await begin()
  const beat = () =>
    queue.beat({
      ...{ agent: 'a', ttl: 60_000, isHungry: false },
      ...{ widened: ['http://b.c/'], seedHosts: [{ host: 'a.b:80', isPrivate: true }] },
    })
  await beat()
  await beat()
  await ask('DEL', jobKey(queue.name, part))
  await expect(beat()).rejects.toThrow('contains a damaged job: its hosts (`widened`, `found`)')
})
