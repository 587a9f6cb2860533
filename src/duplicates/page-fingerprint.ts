import { hash } from 'node:crypto'
import type { HashKey } from '../hashing/half-siphash.ts'
import { decodePage } from '../html/charset/decode-page.ts'
import { MAX_INPUT } from '../page-data/extract-page-data.ts'
import { MAX_PARSING_MS, parseWithinLimits } from '../page-data/parse-within-limits.ts'
import { firstCharacters } from '../page-data/text-budget.ts'
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
 * @param content CSS selector of the element that is compared for near duplicates; undefined compares whole pages
 */
export async function fingerprintFor(
  contentDedup: ContentDedup | undefined,
  key: HashKey,
  content?: string,
): Promise<Fingerprint | undefined> {
  if (contentDedup === undefined) return undefined
  return contentDedup === 'exact' ? digest : nearFingerprint(new SimHash(key), content)
}

function digest(body: Buffer): string | undefined {
  return body.length === 0 ? undefined : hash('sha256', body).slice(0, EXACT_DIGITS)
}

/** Loads the code that reads words, with all of htmlparser2, only when it is needed. */
async function nearFingerprint(simHash: SimHash, content?: string): Promise<Fingerprint> {
  const { visibleWords } = await import('./visible-words.ts')
  const compared = content === undefined ? undefined : await contentReader(content)
  return (body, charset) => {
    if (charset === 'replacement') return undefined
    const html = decodePage(body, charset)
    return simHash.of(visibleWords(compared?.(html) ?? html, MAX_WORDS))
  }
}

/** Returns a function that returns the element of a page that matches a selector; undefined if it has none, or is too large. */
async function contentReader(selector: string): Promise<(html: string) => string | undefined> {
  const { contentHtml } = await import('../page-data/content-html.ts')
  return (html) => {
    try {
      const start = firstCharacters(html, MAX_INPUT)
      return parseWithinLimits(MAX_PARSING_MS, () => contentHtml(start, selector))
    } catch {
      return undefined
    }
  }
}
