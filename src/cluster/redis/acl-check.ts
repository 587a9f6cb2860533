import { CrawlerError } from '../../errors.ts'
import type { Connection } from './connection.ts'
import { aclScript } from './scripts.ts'

/** All commands that are given, by scripts or without; a cluster takes `cluster|slots` and `asking` besides. */
export const COMMANDS = [
  ...['info', 'scan', 'eval', 'evalsha', 'time', 'exists', 'del', 'unlink'],
  ...['get', 'set', 'getrange', 'setrange', 'incr', 'incrby'],
  ...['hget', 'hset', 'hsetnx', 'hmget', 'hgetall', 'hkeys', 'hlen', 'hdel', 'hincrby', 'sadd'],
  ...['lpop', 'lpos', 'lpush', 'lrange', 'rpush'],
  ...['zadd', 'zcard', 'zcount', 'zrange', 'zrangebyscore', 'zrem', 'zremrangebyscore'],
] as const

/**
 * What a user may not do would else be found in the middle of a crawl, by a message that doesn't name it.
 * @throws CrawlerError('redis') that names all that is missing
 */
export async function checkAcl(servers: readonly Connection[]): Promise<void> {
  for (const server of servers) {
    const refused = await server.evaluate(aclScript(), ['ow:rights'], COMMANDS)
    if (!Array.isArray(refused) || refused.length === 0) continue
    const rights = refused.map((command) => `+${command}`).join(' ')
    throw new CrawlerError(
      'redis',
      `Redis at ${server.label} gives this user too few rights: expected ${rights}`,
    )
  }
}
