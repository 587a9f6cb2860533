import type { GetRequest } from '../fetch/fetcher.ts'
import type { WorkerSetup } from '../messages/worker-setup.ts'
import type { ContentVersion } from '../records/content-version.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import { MAX_SITEMAP_BYTES } from '../runtime/shared-body-memory.ts'
import { isSitemapByName, mayListUrls } from './parse/sitemap/looks-like-sitemap.ts'

type BodyLimits = Pick<WorkerSetup, 'sitemaps' | 'maxBody'>

/** The request of one attempt at a URL. */
export class PageRequest implements GetRequest {
  readonly url: string
  readonly maxBody: number
  readonly maxSitemap: number | undefined
  readonly before: ContentVersion | undefined
  readonly mayRetry: boolean
  readonly failures: number
  #started = performance.now()

  /** @param isRead false for a URL that is checked but not read */
  constructor(crawlUrl: CrawlUrl, limits: BodyLimits, isRead: boolean, mayRetry: boolean) {
    this.url = crawlUrl.url
    this.maxBody = isRead ? limits.maxBody : 0
    this.maxSitemap = isRead ? maxSitemapOf(crawlUrl, limits) : undefined
    this.before = isRead ? (crawlUrl.before ?? undefined) : undefined
    this.mayRetry = mayRetry
    this.failures = crawlUrl.failures
  }

  /** Milliseconds since the request was sent. */
  get elapsed(): number {
    return performance.now() - this.#started
  }

  onSend(): void {
    this.#started = performance.now()
  }
}

function maxSitemapOf(crawlUrl: CrawlUrl, { sitemaps, maxBody }: BodyLimits): number | undefined {
  if (sitemaps) return mayListUrls(crawlUrl) ? Math.max(maxBody, MAX_SITEMAP_BYTES) : undefined
  return isSitemapByName(crawlUrl) ? maxBody : undefined
}
