import { afterAll, beforeAll, expect, it } from 'vitest'
import { openClient, type RedisClient } from '../../../src/cluster/redis/client.ts'
import { partitionKey } from '../../../src/cluster/redis/keys.ts'
import { readPartitionViews } from '../../../src/cluster/redis/partition-views.ts'
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

/** Reads the view of a job of one partition, whose keys are written by commands. */
async function viewAfter(job: string, ...commands: readonly string[][]) {
  const partition = partitionKey(job, 0)
  await client.command('', 'HSET', partition, 'mark', MARK)
  for (const [name = '', key = '', ...words] of commands) {
    await client.command('', name, `${partition}:${key}`, ...words)
  }
  const servers = await connect(redis.url)
  return readPartitionViews(servers, [{ key: partition, mark: MARK }], 9)
}

const HOST = ['ZADD', 'schedule', '0', 'a.test']

it('counts the URLs and hosts of a partition', async () => {
  const views = await viewAfter('sound', HOST, ['HSET', 'counts', '1', '7'])
  expect(views).toEqual([{ added: 0, free: 1, active: 1, ended: 0, unheard: 0, open: [[1, 7]] }])
})

it('counts a time of the last exchange that is no number as now, and one in the future as long ago', async () => {
  const [odd] = await viewAfter('odd', ['SET', 'heard', 'x'])
  const future = String(Date.now() + 3_600_000)
  const [ahead] = await viewAfter('ahead', ['SET', 'heard', future])
  expect(odd?.unheard).toBe(0)
  expect(ahead?.unheard).toBeGreaterThan(1_800_000)
})

it('refuses URLs without a host, which would wait for ever', async () => {
  await expect(viewAfter('hostless', ['HSET', 'counts', '1', '7'])).rejects.toThrow(
    'expected a host of 7 URLs that are not finished, got none',
  )
})

it('refuses hosts with URLs without counts, which would be lost', async () => {
  await expect(viewAfter('countless', HOST)).rejects.toThrow(
    'expected those of the URLs of 1 hosts, got none',
  )
})

it('refuses keys of another job, and those that are gone', async () => {
  const servers = await connect(redis.url)
  const partition = partitionKey('marked', 0)
  const view = () => readPartitionViews(servers, [{ key: partition, mark: MARK }], 9)
  await expect(view()).rejects.toThrow(`${partition}: it is gone`)
  await client.command('', 'HSET', partition, 'mark', 'another job:0')
  await expect(view()).rejects.toThrow(`${partition}: it belongs to another job`)
})
