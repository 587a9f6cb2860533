import { hash } from 'node:crypto'
import type { HashKey } from '../hashing/half-siphash.ts'
import { decodePage } from '../html/charset/decode-page.ts'
import type { ContentReader } from '../page-data/content-html.ts'
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

/** Settings of duplicates. */
interface FingerprintSettings {
  readonly contentDedup?: ContentDedup | undefined
  /** CSS selector of the element that is compared for near duplicates; undefined compares whole pages. */
  readonly content?: string | undefined
  /** Memory for the `FieldMatches` of pages with that element. */
  readonly contentMatches?: SharedArrayBuffer | undefined
}

/**
 * Returns the function that computes fingerprints; undefined without `--content-dedup`.
 * @param key key of the hashes of words, for near duplicates
 */
export async function fingerprintFor(
  settings: FingerprintSettings,
  key: HashKey,
): Promise<Fingerprint | undefined> {
  const { contentDedup } = settings
  if (contentDedup === undefined) return undefined
  return contentDedup === 'exact' ? digest : nearFingerprint(new SimHash(key), settings)
}

function digest(body: Buffer): string | undefined {
  return body.length === 0 ? undefined : hash('sha256', body).slice(0, EXACT_DIGITS)
}

/** Loads the code that reads words, with all of htmlparser2, only when it is needed. */
async function nearFingerprint(
  simHash: SimHash,
  settings: FingerprintSettings,
): Promise<Fingerprint> {
  const { visibleWords } = await import('./visible-words.ts')
  const contentOf = await openContentReader(settings)
  return (body, charset) => {
    if (charset === 'replacement') return undefined
    const html = decodePage(body, charset)
    return simHash.of(visibleWords(contentOf?.(html) ?? html, MAX_WORDS))
  }
}

/** Returns undefined without `--content`. The content of a page that takes too long to parse is undefined, too. */
async function openContentReader({
  content,
  contentMatches,
}: FingerprintSettings): Promise<ContentReader | undefined> {
  if (content === undefined) return undefined
  const { contentReader } = await import('../page-data/content-html.ts')
  const contentOf = contentReader(content, contentMatches)
  return (html) => {
    try {
      return parseWithinLimits(MAX_PARSING_MS, () => contentOf(firstCharacters(html, MAX_INPUT)))
    } catch {
      return undefined
    }
  }
}
