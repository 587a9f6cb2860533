import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkDurability, checkVersion } from '../../../src/cluster/redis/server-checks.ts'
import type { Servers } from '../../../src/cluster/redis/servers.ts'
import type { SharedSeenName } from '../../../src/cluster/shared-seen-options.ts'
import { createLogger } from '../../../src/logger.ts'
import { connect } from '../../support/redis-server.ts'
import { REDIS_SETUPS, type Redis } from '../../support/redis-setups.ts'
import { until } from '../../support/until.ts'

describe.each(REDIS_SETUPS)('%s', (_, start) => {
  let redis: Redis
  let servers: Servers

  beforeAll(async () => {
    redis = await start()
    servers = await connect(redis.url)
  })

  // Other tests use the server, too.
  afterAll(async () => {
    await set('noeviction', 'yes')
    await until(async () => !(await redis.ask('INFO')).includes('aof_rewrite_in_progress:1'))
    servers.close()
  })

  const set = (policy: string, aof: string) =>
    redis.ask('CONFIG', 'SET', 'maxmemory-policy', policy, 'appendonly', aof)

  /** Returns what the log says of the server with these settings. */
  async function check(policy: string, seen: SharedSeenName, aof = 'yes'): Promise<string> {
    await set(policy, aof)
    const stream = new PassThrough()
    const logger = await createLogger({ level: 'info', stream, pretty: false })
    await checkDurability(servers.all, seen, logger)
    return String(stream.read() ?? '')
  }

  it('is refused if it may drop keys of a job, with advice', async () => {
    expect(await check('noeviction', 'redis-keys')).toBe('')
    expect(await check('volatile-lru', 'redis-bloom')).toBe('')
    await expect(check('volatile-lru', 'redis-keys')).rejects.toThrow(
      'got volatile-lru, which drops',
    )
    await expect(check('allkeys-lfu', 'redis-set')).rejects.toThrow(
      `Redis at ${new URL(redis.url).host}: expected the maxmemory-policy noeviction, got allkeys-lfu, which drops URLs when memory is short (CONFIG SET maxmemory-policy noeviction)`,
    )
  })

  it('causes one warning if it loses all data at a restart', async () => {
    const said = await check('noeviction', 'redis-set', 'no')
    expect(said.trimEnd().split('\n')).toEqual([
      expect.stringContaining(
        'keeps no append-only file: when it restarts, the job is lost, or goes back to the last snapshot (CONFIG SET appendonly yes)',
      ),
    ])
  })
})

it('an old Redis is refused', () => {
  expect(() => checkVersion('a:1', 'redis_version:6.2.1\n')).toThrow(
    'Redis at a:1: expected Redis 7 or newer, got 6.2.1',
  )
  expect(checkVersion('a:1', 'redis_version:7.0.15\n')).toBeUndefined()
})

it('a Sentinel is refused', () => {
  expect(() => checkVersion('a:1', 'redis_version:7.0.15\nredis_mode:sentinel\n')).toThrow(
    'Redis at a:1: expected a server, got a Sentinel: name an address that leads to its master',
  )
})
