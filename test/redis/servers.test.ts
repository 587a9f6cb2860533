import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Job } from '../../src/redis/job.ts'
import { weight } from '../../src/redis/servers.ts'
import { connect, RedisServer } from '../support/redis-server.ts'

const SEEN = { name: 'redis-set', expectedUrls: 1, falsePositiveRate: 0.1, forgetAfter: 1 } as const

describe('rendezvous hashing', () => {
  it('moves to a further server only its share, from all others', () => {
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

describe('several servers', () => {
  let servers: RedisServer[] = []

  beforeAll(async () => {
    servers = await Promise.all([RedisServer.start(), RedisServer.start()])
  })

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()))
  })

  it('share the partitions of a job, in whatever order they are named', async () => {
    const [first = '', second = ''] = servers.map(({ url }) => url)
    const one = await connect(first, second, first)
    const other = await connect(second, first)
    const names = Array.from({ length: 32 }, (_, index) => `ow:{news:${index}}`)
    const labels = names.map((name) => one.of(name).label)
    expect(names.map((name) => other.of(name).label)).toEqual(labels)
    expect(new Set(labels).size).toBe(2)
    expect(one.all).toHaveLength(2)
    for (const each of [one, other]) each.close()
  })

  it('refuse a job that was begun on others', async () => {
    const [first = '', second = ''] = servers.map(({ url }) => url)
    const both = await connect(first, second)
    const one = await connect(first)
    await Job.join(both, 'both', {}, SEEN)
    await expect(Job.join(one, 'both', {}, SEEN)).rejects.toThrow(
      'expected the 2 servers that job both was begun with, got others',
    )
    for (const each of [one, both]) each.close()
  })
})
