import { CrawlerError } from '../../errors.ts'
import type { RetryingClient } from './retrying-client.ts'
import { aclScript } from './scripts.ts'

/** All commands that a job uses. A cluster also needs `cluster|slots` and `asking`. */
export const COMMANDS = [
  ...['info', 'scan', 'eval', 'evalsha', 'time', 'exists', 'del', 'unlink'],
  ...['get', 'set', 'getrange', 'setrange', 'incr'],
  ...['hget', 'hset', 'hsetnx', 'hmget', 'hgetall', 'hkeys', 'hlen', 'hdel', 'hincrby', 'sadd'],
  ...['scard', 'strlen', 'llen'],
  ...['lpop', 'lpos', 'lpush', 'lrange', 'rpush'],
  ...['zadd', 'zcard', 'zcount', 'zrange', 'zrangebyscore', 'zrem', 'zremrangebyscore'],
] as const

/**
 * Checks that the user may run all commands. Otherwise a crawl would fail midway, with a message that doesn't name
 * the command.
 * @throws CrawlerError('redis') that names all missing rights
 */
export async function checkAcl(servers: readonly RetryingClient[]): Promise<void> {
  for (const server of servers) {
    const refused = await server.evaluate(aclScript(), ['ow:rights'], COMMANDS)
    if (!Array.isArray(refused) || refused.length === 0) continue
    const rights = refused.map((command) => `+${command}`).join(' ')
    throw new CrawlerError(
      'redis',
      `Redis at ${server.label} grants this user too few rights: add ${rights}`,
    )
  }
}
