import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLogger } from '../../src/logger.ts'
import { checkKeeping, checkVersion } from '../../src/redis/fitness.ts'
import type { RedisSeenName } from '../../src/redis/seen-scheme.ts'
import type { Servers } from '../../src/redis/servers.ts'
import { connect, RedisServer } from '../support/redis-server.ts'

let redis: RedisServer
let servers: Servers

beforeAll(async () => {
  redis = await RedisServer.start()
  servers = await connect(redis.url)
})

afterAll(async () => {
  servers.close()
  await redis.close()
})

/** What is said of the server with these settings. */
async function check(policy: string, seen: RedisSeenName, aof = 'yes'): Promise<string> {
  await redis.ask('CONFIG', 'SET', 'maxmemory-policy', policy, 'appendonly', aof)
  const stream = new PassThrough()
  const logger = await createLogger({ level: 'info', stream, pretty: false })
  await checkKeeping(servers.all, seen, logger)
  return String(stream.read() ?? '')
}

it('a Redis that may drop keys of a job is refused, with what to do', async () => {
  expect(await check('noeviction', 'redis-keys')).toBe('')
  expect(await check('volatile-lru', 'redis-bloom')).toBe('')
  await expect(check('volatile-lru', 'redis-keys')).rejects.toThrow('got volatile-lru, which drops')
  await expect(check('allkeys-lfu', 'redis-set')).rejects.toThrow(
    `Redis at 127.0.0.1:${redis.port}: expected the maxmemory-policy noeviction, got allkeys-lfu, which drops URLs when memory is short (CONFIG SET maxmemory-policy noeviction)`,
  )
})

it('a Redis that forgets all when it restarts is warned of', async () => {
  expect(await check('noeviction', 'redis-set', 'no')).toContain(
    'keeps no append-only file: when it restarts, the job is lost (CONFIG SET appendonly yes)',
  )
})

it('an old Redis is refused', () => {
  expect(() => checkVersion('a:1', 'redis_version:6.2.1\n')).toThrow(
    'Redis at a:1: expected Redis 7 or newer, got 6.2.1',
  )
  expect(checkVersion('a:1', 'redis_version:7.0.15\n')).toBeUndefined()
})
