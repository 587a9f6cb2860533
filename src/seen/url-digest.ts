import { hash } from 'node:crypto'
import type { HashKey } from '../hashing/half-siphash.ts'
import { UrlHash } from '../hashing/url-hash.ts'
import type { DigestName } from './seen-set.ts'

/** 32-bit words of each digest. */
export const DIGEST_WORDS = {
  halfsiphash: 2,
  md5: 4,
  'sha-1': 5,
  'sha-256': 8,
} as const satisfies Record<DigestName, number>

const OPEN_SSL_NAMES = { md5: 'md5', 'sha-1': 'sha1', 'sha-256': 'sha256' } as const

/** Returns the digest of a URL, without words of 0. The array is reused for the next URL. */
export type UrlDigester = (url: string) => Int32Array

/**
 * Returns a function that computes digests. All digests are keyed, so that nobody can construct two
 * URLs that share one.
 */
export function urlDigester(name: DigestName, key: HashKey): UrlDigester {
  const digest = new Int32Array(DIGEST_WORDS[name])
  if (name === 'halfsiphash') {
    const hash64 = new UrlHash(key)
    return (url) => {
      hash64.of(url)
      fillDigest(digest, hash64.first, hash64.second)
      return digest
    }
  }
  const prefix = `${key[0]},${key[1]},`
  return (url) => {
    const bytes = hash(OPEN_SSL_NAMES[name], prefix + url, 'buffer')
    for (let word = 0; word < digest.length; word++) {
      digest[word] = bytes.readInt32LE(word * 4) || 1
    }
    return digest
  }
}

/**
 * Fills a digest with a hash. Words of 0 become 1, since 0 means "not written" in a DigestTable.
 */
export function fillDigest(digest: Int32Array, first: number, second: number): void {
  digest[0] = first || 1
  digest[1] = second || 1
}
