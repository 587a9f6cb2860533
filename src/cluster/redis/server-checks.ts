import { CrawlerError } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import type { SharedSeenName } from '../shared-seen-options.ts'
import type { RetryingClient } from './retrying-client.ts'

const MIN_VERSION = 7

/**
 * Refuses a server that is too old, and a Sentinel, which stores nothing.
 * @param info its reply to INFO
 * @throws CrawlerError('redis')
 */
export function checkVersion(label: string, info: string): void {
  if (/^redis_mode:sentinel/m.test(info)) {
    const message = `Redis at ${label}: expected a server, got a Sentinel: name an address that leads to its master`
    throw new CrawlerError('redis', message)
  }
  const version = /^redis_version:(\d+)\.(\S+)/m.exec(info)
  if (version === null || Number(version[1]) >= MIN_VERSION) return
  const message = `Redis at ${label}: expected Redis ${MIN_VERSION} or newer, got ${version[1]}.${version[2]}`
  throw new CrawlerError('redis', message)
}

/**
 * Checks that servers keep the data of a job. Warns of a server without an append-only file.
 * @throws CrawlerError('redis') for a server that would evict keys when its memory is full: URLs would be lost, or
 * fetched again, without notice
 */
export async function checkDurability(
  servers: readonly RetryingClient[],
  seen: SharedSeenName,
  logger: Logger,
): Promise<void> {
  for (const server of servers) {
    const infos = await server.info()
    const policy = infos.map(policyOf).find((each) => evictsKeys(each, seen))
    if (policy !== undefined) {
      const message = `Redis at ${server.label}: expected the maxmemory-policy noeviction, got ${policy}, which drops URLs when memory is short (CONFIG SET maxmemory-policy noeviction)`
      throw new CrawlerError('redis', message)
    }
    // One warning is enough for a cluster, whose nodes have one label.
    if (!infos.some((info) => /^aof_enabled:0/m.test(info))) continue
    const message = `Redis at ${server.label} keeps no append-only file: when it restarts, the job is lost, or goes back to the last snapshot (CONFIG SET appendonly yes)`
    logger.warn({ redis: server.label }, message)
  }
}

function policyOf(info: string): string {
  return /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? ''
}

/**
 * Returns true if a policy may evict URLs of a job. Policies that begin with `volatile-` evict only keys that expire,
 * as those of `redis-keys` do.
 */
function evictsKeys(policy: string, seen: SharedSeenName): boolean {
  return policy.startsWith('allkeys-') || (policy.startsWith('volatile-') && seen === 'redis-keys')
}
