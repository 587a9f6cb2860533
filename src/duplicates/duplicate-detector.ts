import type { Config } from '../config/schema.ts'
import { httpUrl, parseStored } from '../database/validate-stored-values.ts'
import type { Visited } from '../messages/outcome.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import { fetchedFields } from '../records/visit-record.ts'
import type { CrawlStorage } from '../state/crawl-storage.ts'
import { FingerprintStore } from './fingerprint-store.ts'

/**
 * Detects pages with the same content as an earlier page, in the order in which pages are settled. Workers
 * compute the fingerprints. The main thread compares them, because only there all pages have one order.
 */
export class DuplicateDetector {
  readonly #fingerprints: FingerprintStore
  readonly #urlOf: (id: number) => string | undefined
  readonly #followDuplicates: boolean

  private constructor(
    fingerprints: FingerprintStore,
    urlOf: (id: number) => string | undefined,
    followDuplicates: boolean,
  ) {
    this.#fingerprints = fingerprints
    this.#urlOf = urlOf
    this.#followDuplicates = followDuplicates
  }

  /**
   * Returns a detector; undefined without `--content-dedup`.
   * @param urlOf returns the URL of an id
   */
  static open(
    { contentDedup, followDuplicates }: Config,
    { database }: Pick<CrawlStorage, 'database'>,
    urlOf: (id: number) => string | undefined,
  ): DuplicateDetector | undefined {
    if (contentDedup === undefined) return undefined
    const fingerprints = new FingerprintStore(database, contentDedup)
    return new DuplicateDetector(fingerprints, urlOf, followDuplicates)
  }

  /**
   * Returns the outcome to apply. The record of a duplicate names its original, and its links may be dropped.
   * @throws DamageError when the original has no URL
   */
  check({ id }: CrawlUrl, outcome: Visited): Visited {
    const { fingerprint, change } = outcome
    const isReplaced = change === 'gone' || change === 'changed'
    if (fingerprint === undefined && isReplaced) this.#fingerprints.forget(id)
    const original = fingerprint && this.#fingerprints.claim(id, fingerprint)
    if (typeof original !== 'number') return outcome
    const duplicateOf = parseStored(httpUrl, this.#urlOf(original), 'contents.url')
    const fields = { ...fetchedFields(outcome.fields), duplicateOf }
    if (this.#followDuplicates) return { ...outcome, fields }
    const { packedLinks: _, ...rest } = outcome
    return { ...rest, fields, discovered: [], nearer: [], sameDepth: [] }
  }
}
