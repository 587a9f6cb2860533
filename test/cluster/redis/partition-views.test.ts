import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openClient, type RedisClient } from '../../../src/cluster/redis/client.ts'
import { partitionKey } from '../../../src/cluster/redis/keys.ts'
import {
  type LeaseWatch,
  PartitionClocks,
  readPartitionViews,
} from '../../../src/cluster/redis/partition-views.ts'
import { monotonicTime } from '../../../src/throttle/monotonic-time.ts'
import { connect, RedisServer } from '../../support/redis-server.ts'

let redis: RedisServer
let client: RedisClient

beforeAll(async () => {
  redis = await RedisServer.start()
  client = await openClient(redis.url)
})

afterAll(async () => {
  client.close()
  await redis.close()
})

const MARK = 'its job:0'
const TTL = 60_000

/** Reads the view of a job with one partition, after commands have written its keys. */
async function viewAfter(job: string, ...commands: readonly string[][]) {
  const watch = { ttl: TTL, clocks: new PartitionClocks(), waited: 0 }
  return watchAfter(watch, job, ...commands)
}

async function watchAfter(watch: LeaseWatch, job: string, ...commands: readonly string[][]) {
  const partition = partitionKey(job, 0)
  await client.command('', 'HSET', partition, 'mark', MARK)
  for (const [name = '', key = '', ...words] of commands) {
    await client.command('', name, `${partition}:${key}`, ...words)
  }
  const servers = await connect(redis.url)
  return readPartitionViews(servers, [{ key: partition, mark: MARK }], 9, watch)
}

const HOST = ['ZADD', 'schedule', '0', 'a.test']
const ONE = ['HSET', 'counts', '1', '1']

it('a partition view counts URLs and hosts', async () => {
  const views = await viewAfter('sound', HOST, ['HSET', 'counts', '1', '7'])
  expect(views).toEqual([
    { added: 0, visits: 0, bytes: 0, free: 1, active: 1, orphans: 0, open: [[1, 7]] },
  ])
})

describe('a lease', () => {
  const at = (ms: number) => `${Date.now() + ms}`
  const lease = (ms: number) => ['ZADD', 'leases', at(ms), 'a.test']
  const url = ['RPUSH', 'queue:1:a.test', '0 - x']

  it('that has ended is taken back, and its host counts as an orphan', async () => {
    const [ended] = await viewAfter('ended', lease(-1), url, ONE, ['SET', 'heard', at(0)])
    expect(ended).toMatchObject({ active: 1, free: 1, orphans: 1 })
    const [held] = await viewAfter('held', lease(TTL / 2), url, ONE, ['SET', 'heard', at(0)])
    expect(held).toMatchObject({ active: 1, free: 0, orphans: 0 })
    expect(held?.endsIn).toBeGreaterThan(TTL / 4)
  })

  it('that ended while no process called Redis is not extended', async () => {
    const watch = { ttl: TTL, clocks: new PartitionClocks(), waited: 0 }
    const [time = '0'] = [await client.command('', 'TIME')].flat()
    const sent = monotonicTime()
    watch.clocks.of([partitionKey('gone', 0)]).compare(Number(time) * 1_000, sent, sent)
    const keys = [lease(-TTL), url, ONE, ['SET', 'heard', at(-1.5 * TTL)]]
    const [ended] = await watchAfter(watch, 'gone', ...keys)
    expect(ended).toMatchObject({ active: 1, orphans: 1 })
  })

  it('that ended while its server was away is extended by that time, at most by its whole length', async () => {
    const [ended] = await viewAfter('away', lease(-TTL), url, ONE, ['SET', 'heard', at(-1.5 * TTL)])
    expect(ended).toMatchObject({ free: 0, orphans: 0 })
    expect(ended?.endsIn).toBeGreaterThan(TTL / 4)
    const [long] = await viewAfter('long', lease(TTL), url, ONE, ['SET', 'heard', at(-9 * TTL)])
    expect(long?.endsIn).toBeLessThanOrEqual(TTL)
  })

  it("doesn't become longer when the clock is set back", async () => {
    const [day, rest] = [86_400_000, TTL / 2]
    const [ended] = await viewAfter('set', lease(day + rest), url, ONE, ['SET', 'heard', at(day)])
    expect(ended?.endsIn).toBeLessThanOrEqual(rest)
    expect(ended?.endsIn).toBeGreaterThan(rest / 2)
  })

  it('that was renewed after the clock was set back is kept', async () => {
    const heard = ['SET', 'heard', at(86_400_000)]
    const [held] = await viewAfter('renewed', lease(TTL / 2), url, ONE, heard)
    expect(held).toMatchObject({ free: 0, orphans: 0 })
    expect(held?.endsIn).toBeGreaterThan(TTL / 4)
  })

  it('is taken back even if the time of the last call is not a number', async () => {
    const [odd] = await viewAfter('odd', lease(-1), url, ONE, ['SET', 'heard', 'x'])
    expect(odd).toMatchObject({ orphans: 1 })
  })
})

it('a partition view with URLs but no host, which would wait forever, is refused', async () => {
  await expect(viewAfter('hostless', ['HSET', 'counts', '1', '7'])).rejects.toThrow(
    'expected a host for 7 unfinished URLs, got none',
  )
})

it('a partition view with hosts but no counts, whose URLs would be lost, is refused', async () => {
  await expect(viewAfter('countless', HOST)).rejects.toThrow(
    'expected counts for the URLs of 1 host, got none',
  )
})

it('a partition view of another job, or of missing keys, is refused', async () => {
  const servers = await connect(redis.url)
  const partition = partitionKey('marked', 0)
  const view = () => readPartitionViews(servers, [{ key: partition, mark: MARK }], 9)
  await expect(view()).rejects.toThrow(`${partition}: it is gone`)
  await client.command('', 'HSET', partition, 'mark', 'another job:0')
  await expect(view()).rejects.toThrow(`${partition}: it belongs to another job`)
})
