import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { controlJob, deleteJob, listJobs, showJob } from '../../../src/cluster/redis/job-control.ts'
import { RedisJobQueue } from '../../../src/cluster/redis/redis-job-queue.ts'
import { weight } from '../../../src/cluster/redis/servers.ts'
import { callCrawl } from '../../support/call-cli.ts'
import { listen } from '../../support/listen.ts'
import { connect, RedisServer } from '../../support/redis-server.ts'
import { freshName, REDIS_SETUPS } from '../../support/redis-setups.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { until } from '../../support/until.ts'

const SEEN = { name: 'redis-set', expectedUrls: 1, falsePositiveRate: 0.1, forgetAfter: 1 } as const

describe('rendezvous hashing', () => {
  it('moves only its share to a further server, from all others', () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `ow:{news:${index}}`)
    const chosen = (servers: readonly string[], name: string) =>
      servers.reduce((a, b) => (weight(b, name) > weight(a, name) ? b : a))
    const before = ['a', 'b', 'c']
    const moved = names.filter((n) => chosen(before, n) !== chosen([...before, 'd'], n))
    expect(moved.every((name) => chosen([...before, 'd'], name) === 'd')).toBe(true)
    expect(moved.length).toBeGreaterThan(400)
    expect(moved.length).toBeLessThan(600)
    for (const server of before) {
      expect(moved.filter((name) => chosen(before, name) === server).length).toBeGreaterThan(100)
    }
  })
})

describe.each(REDIS_SETUPS)('a second server next to %s', (_, start) => {
  let single: RedisServer
  let other: string

  beforeAll(async () => {
    single = await RedisServer.start()
    other = (await start()).url
  })

  afterAll(() => single.close())

  it('has its share of the partitions of a job, in whatever order the servers are given', async () => {
    const one = await connect(single.url, other, single.url)
    const two = await connect(other, single.url)
    const names = Array.from({ length: 32 }, (_, index) => `ow:{news:${index}}`)
    const labels = names.map((name) => one.of(name).label)
    expect(names.map((name) => two.of(name).label)).toEqual(labels)
    expect(new Set(labels).size).toBe(2)
    expect(one.all).toHaveLength(2)
    for (const each of [one, two]) each.close()
  })

  it('is connected to again if the connection ends before the first reply', async () => {
    const closing = createServer((socket) => {
      proxy.target = Number(new URL(other).port)
      socket.resetAndDestroy()
    })
    const proxy = await startTcpProxy(await listen(closing))
    onTestFinished(async () => {
      closing.close()
      await proxy.close()
    })
    const servers = await connect(`redis://127.0.0.1:${proxy.port}`)
    expect(servers.all).toHaveLength(1)
    servers.close()
  })

  it('is refused alone for a job that was begun on both', async () => {
    const both = await connect(single.url, other)
    const one = await connect(single.url)
    const name = freshName()
    await RedisJobQueue.join(both, name, {}, SEEN)
    await expect(RedisJobQueue.join(one, name, {}, SEEN)).rejects.toThrow(
      `expected the 2 servers that job ${name} was created with, got others`,
    )
    await expect(controlJob(one, name, 'stop')).rejects.toThrow('expected the 2 servers')
    await expect(showJob(one, name)).rejects.toThrow('expected the 2 servers')
    await expect(deleteJob(one, name)).rejects.toThrow('expected the 2 servers')
    expect(await showJob(both, name)).toMatchObject({ state: 'running' })
    const own = freshName()
    await RedisJobQueue.join(one, own, {}, SEEN)
    const list = await callCrawl(['job', 'list', '--frontier', single.url])
    expect(list).toMatchObject({ code: 7, stdout: expect.stringContaining(own) })
    expect(list.stderr).toContain(`the 2 servers that job ${name} was created with`)
    for (const each of [one, both]) each.close()
  })

  it('keeps no trace of a job that was begun on other servers and refused', async () => {
    const [first, both, second] = await Promise.all([
      connect(single.url),
      connect(single.url, other),
      connect(other),
    ])
    const name = freshName()
    await RedisJobQueue.join(first, name, {}, SEEN)
    await expect(RedisJobQueue.join(both, name, {}, SEEN)).rejects.toThrow('expected the server')
    expect(await listJobs(second)).not.toContain(name)
    for (const each of [first, both, second]) each.close()
  })
})

it('a server given twice is connected to once, and disconnected at the end', async () => {
  const redis = await RedisServer.start()
  onTestFinished(() => redis.close())
  const clients = async () => (await redis.ask('CLIENT', 'LIST')).split('\n').length
  const alone = await clients()
  const servers = await connect(redis.url, redis.url)
  expect(servers.all).toHaveLength(1)
  await until(async () => (await clients()) === alone + 1)
  servers.close()
  await until(async () => (await clients()) === alone)
})
