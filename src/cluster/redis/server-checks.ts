import { CrawlerError } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import type { Connection } from './connection.ts'
import type { RedisSeenName } from './seen-scheme.ts'

const OLDEST = 7
const AS_IT_SHOULD = 'CONFIG SET maxmemory-policy noeviction'

/** @throws CrawlerError('redis') for a server that is too old. @param info what it tells of itself */
export function checkVersion(label: string, info: string): void {
  const version = /^redis_version:(\d+)\.(\S+)/m.exec(info)
  if (version === null || Number(version[1]) >= OLDEST) return
  const message = `Redis at ${label}: expected Redis ${OLDEST} or newer, got ${version[1]}.${version[2]}`
  throw new CrawlerError('redis', message)
}

/**
 * Looks whether servers keep what they are told. One that doesn't write it down is warned of.
 * @throws CrawlerError('redis') for one that would drop keys of a job when it is full: URLs would be lost, or
 * met again, and nobody would know
 */
export async function checkDurability(
  servers: readonly Connection[],
  seen: RedisSeenName,
  logger: Logger,
): Promise<void> {
  for (const server of servers) {
    const infos = await server.info()
    const policy = infos.map(policyOf).find((each) => dropsKeys(each, seen))
    if (policy !== undefined) {
      const message = `Redis at ${server.label}: expected the maxmemory-policy noeviction, got ${policy}, which drops URLs when memory is short (${AS_IT_SHOULD})`
      throw new CrawlerError('redis', message)
    }
    // Nodes of a cluster have one label: it is said once.
    if (!infos.some((info) => /^aof_enabled:0/m.test(info))) continue
    const message = `Redis at ${server.label} keeps no append-only file: when it restarts, the job is lost (CONFIG SET appendonly yes)`
    logger.warn({ redis: server.label }, message)
  }
}

function policyOf(info: string): string {
  return /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? ''
}

/** Only keys of `redis-keys` ever expire. */
function dropsKeys(policy: string, seen: RedisSeenName): boolean {
  return policy.startsWith('allkeys-') || (policy.startsWith('volatile-') && seen === 'redis-keys')
}
