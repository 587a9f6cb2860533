import { hash } from 'node:crypto'
import type { HashKey } from '../hashing/half-siphash.ts'
import { decodePage } from '../html/charset/decode-page.ts'
import type { ContentDedup } from './fingerprint-store.ts'
import { SimHash } from './sim-hash.ts'

/** 128 bits of SHA-256. */
const EXACT_DIGITS = 32
/** Maximum words of a page that are hashed. */
const MAX_WORDS = 100_000

/**
 * Returns the fingerprint of a page's content, in hexadecimal; undefined if it has no content.
 * @param charset its encoding, by its WHATWG name
 */
export type Fingerprint = (body: Buffer, charset: string) => string | undefined

/**
 * Returns the function that computes fingerprints; undefined without `--content-dedup`.
 * @param key key of the hashes of words, for near duplicates
 */
export async function fingerprintFor(
  contentDedup: ContentDedup | undefined,
  key: HashKey,
): Promise<Fingerprint | undefined> {
  if (contentDedup === undefined) return undefined
  return contentDedup === 'exact' ? digest : nearFingerprint(new SimHash(key))
}

function digest(body: Buffer): string | undefined {
  return body.length === 0 ? undefined : hash('sha256', body).slice(0, EXACT_DIGITS)
}

/** Loads the code that reads words, with all of htmlparser2, only when it is needed. */
async function nearFingerprint(simHash: SimHash): Promise<Fingerprint> {
  const { visibleWords } = await import('./visible-words.ts')
  return (body, charset) => {
    if (charset === 'replacement') return undefined
    return simHash.of(visibleWords(decodePage(body, charset), MAX_WORDS))
  }
}
