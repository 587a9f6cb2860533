import type { Config } from '../config/schema.ts'
import type { Visited } from '../messages/messages.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import type { CrawlStorage } from '../state/store.ts'
import { ContentStore } from './content-store.ts'

/** Whether links count as seen only when their page is settled: it may be a duplicate. */
export function claimsLate({ contentDedup, deterministic, followDuplicates }: Config): boolean {
  return deterministic || (contentDedup !== undefined && !followDuplicates)
}

/**
 * Tells pages whose content another page had before, in the order in which they are settled. Workers
 * make the fingerprints; the answer is made here, where there is one order, and where the URLs are.
 */
export class ContentTest {
  readonly #store: ContentStore
  readonly #followDuplicates: boolean

  private constructor(store: ContentStore, followDuplicates: boolean) {
    this.#store = store
    this.#followDuplicates = followDuplicates
  }

  /** Undefined where nobody asks. */
  static open(
    { contentDedup, followDuplicates }: Config,
    { database }: Pick<CrawlStorage, 'database'>,
  ): ContentTest | undefined {
    if (contentDedup === undefined) return undefined
    return new ContentTest(new ContentStore(database, contentDedup), followDuplicates)
  }

  /** The outcome as it is to be settled: the record of a duplicate says so, and it may lead nowhere. */
  take({ id }: CrawlUrl, outcome: Visited): Visited {
    const { fingerprint } = outcome
    const original = fingerprint && this.#store.claim(id, fingerprint)
    if (original === undefined) return outcome
    const fields = { ...outcome.fields, duplicateOf: original }
    if (this.#followDuplicates) return { ...outcome, fields }
    const { links: _, ...rest } = outcome
    return { ...rest, fields, discovered: [], nearer: [], beside: [] }
  }
}
