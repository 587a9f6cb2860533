import { hash } from 'node:crypto'
import { UrlHash } from '../../seen/fingerprint.ts'
import type { HashKey } from '../../seen/seen-set.ts'
import { planBlooms } from './bloom-plan.ts'

export const REDIS_SEEN_NAMES = ['redis-bloom', 'redis-set', 'redis-keys'] as const

/** How Redis tells URLs that are known: docs/redis.md compares them. */
export type RedisSeenName = (typeof REDIS_SEEN_NAMES)[number]

export function isRedisSeen(name: string): name is RedisSeenName {
  return (REDIS_SEEN_NAMES as readonly string[]).includes(name)
}

export interface RedisSeenOptions {
  readonly name: RedisSeenName
  /** URLs that all partitions together are expected to hold. */
  readonly expectedUrls: number
  readonly falsePositiveRate: number
  /** Milliseconds after which `redis-keys` forgets a URL. */
  readonly forgetAfter: number
}

/** What a script of the URL-seen test is told. */
export interface SeenScheme {
  /** For all URLs of a call. */
  readonly setup: Readonly<Record<string, unknown>>
  /** What stands for a URL. */
  markOf(url: string): string
}

/** Room of a first Bloom filter at least: another follows when it is full. */
const LEAST_ROOM = 1_000

/** @param key secret of the hash, the same for all agents of a job */
export function seenScheme(
  { name, expectedUrls, falsePositiveRate, forgetAfter }: RedisSeenOptions,
  key: HashKey,
  partitions: number,
): SeenScheme {
  if (name === 'redis-set') return { setup: {}, markOf: fingerprint }
  if (name === 'redis-keys') return { setup: { forget: forgetAfter }, markOf: fingerprint }
  const hash64 = new UrlHash(key)
  const room = Math.max(LEAST_ROOM, Math.ceil(expectedUrls / partitions))
  return {
    setup: { filters: planBlooms(room, falsePositiveRate) },
    markOf(url) {
      hash64.of(url)
      return `${hash64.first >>> 0},${hash64.second >>> 0}`
    },
  }
}

/** SHA-1 as Scrapy-Redis has it, in 27 characters in place of 40. */
function fingerprint(url: string): string {
  return hash('sha1', url, 'base64url')
}
