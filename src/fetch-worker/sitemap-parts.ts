import type { ClaimLog } from '../messages/claim-log.ts'
import type { SitemapPartRead } from '../messages/from-worker.ts'
import type { SameDepthUrls } from '../messages/outcome.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import type { Skip } from '../records/skip.ts'
import type { UrlRewrite } from './links/link-list.ts'
import type { SkipCounter } from './links/skip-counter.ts'

/** URLs of a sitemap that were read since its last part. */
export interface ReadUrls {
  readonly sameDepth: readonly SameDepthUrls[]
  readonly skips: readonly Skip[]
  readonly rewrites: readonly UrlRewrite[]
}

/**
 * Reports long sitemaps to the main thread in parts. Each part waits until the last one was added, so that the memory of
 * both threads stays bounded, and so does the time for which one message keeps the main thread busy.
 */
export class SitemapParts {
  readonly #skips: Pick<SkipCounter, 'count'>
  readonly #claims: ClaimLog
  readonly #send: (part: SitemapPartRead) => void
  readonly #waiting = new Map<number, () => void>()

  constructor(
    skips: Pick<SkipCounter, 'count'>,
    claims: ClaimLog,
    send: (part: SitemapPartRead) => void,
  ) {
    this.#skips = skips
    this.#claims = claims
    this.#send = send
  }

  /** Reports a part. Resolves when the main thread has added its URLs. */
  report(crawlUrl: CrawlUrl, { sameDepth, skips, rewrites }: ReadUrls): Promise<void> {
    const { id } = crawlUrl
    const counted = this.#skips.count(crawlUrl, skips, rewrites)
    // The main thread drops the claims on these URLs with the part, so it must have all of them.
    this.#claims.handOver()
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#send({ type: 'sitemap-part', id, sameDepth, ...counted })
    })
  }

  /** Lets the next part of a sitemap follow. */
  added(id: number): void {
    this.#waiting.get(id)?.()
    this.#waiting.delete(id)
  }
}
