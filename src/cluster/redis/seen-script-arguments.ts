import { hash } from 'node:crypto'
import type { HashKey } from '../../hashing/half-siphash.ts'
import { UrlHash } from '../../hashing/url-hash.ts'
import type { SharedSeenOptions } from '../shared-seen-options.ts'
import { planBlooms } from './bloom-plan.ts'

/** Arguments for the script of a seen test. */
export interface SeenScriptArguments {
  /** Parameters for all URLs of a call. */
  readonly setup: Readonly<Record<string, unknown>>
  /** Returns the text that represents a URL in the seen test. */
  fingerprintOf(url: string): string
}

/** Minimum number of URLs for which the first Bloom filter has room. When it is full, another one follows. */
const MIN_ROOM = 1_000

/**
 * Returns the arguments for the script of a seen test.
 * @param key secret of the hash, the same for all agents of a job
 */
export function seenScriptArguments(
  { name, expectedUrls, falsePositiveRate, forgetAfter }: SharedSeenOptions,
  key: HashKey,
  partitions: number,
): SeenScriptArguments {
  if (name === 'redis-set') return { setup: {}, fingerprintOf: sha1Of }
  if (name === 'redis-keys') return { setup: { forget: forgetAfter }, fingerprintOf: sha1Of }
  const hash64 = new UrlHash(key)
  const room = Math.max(MIN_ROOM, Math.ceil(expectedUrls / partitions))
  return {
    setup: { filters: planBlooms(room, falsePositiveRate) },
    fingerprintOf(url) {
      hash64.of(url)
      return `${hash64.first >>> 0},${hash64.second >>> 0}`
    },
  }
}

/** Returns a SHA-1 digest, which Scrapy-Redis uses, too, in 27 characters of base64url instead of 40 in hexadecimal. */
function sha1Of(url: string): string {
  return hash('sha1', url, 'base64url')
}
