// The global of the same name would load this module at the first visit, when V8 may have other flags (turbofan-delay.ts)
// than those of its cached code, and would compile the module again.
import { performance } from 'node:perf_hooks'
import type { GetRequest } from '../fetch/fetcher.ts'
import type { WorkerSetup } from '../messages/worker-setup.ts'
import type { ContentVersion } from '../records/content-version.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import { MAX_SITEMAP_BYTES } from '../runtime/shared-body-memory.ts'
import { isSitemapSeed, mayListUrls } from './parse/sitemap/looks-like-sitemap.ts'

type BodyLimits = Pick<WorkerSetup, 'sitemaps' | 'maxBody'>
type RequestSettings = BodyLimits & Pick<WorkerSetup, 'retries'>

/** The request of one attempt at a URL. */
export class PageRequest implements GetRequest {
  readonly url: string
  readonly maxBody: number
  readonly maxSitemap: number | undefined
  readonly before: ContentVersion | undefined
  /** True for a HEAD request: the first attempt at a URL that is only checked. */
  readonly isHead: boolean
  readonly mayRetry: boolean
  readonly failures: number
  #started = performance.now()

  /** @param isRead false for a URL that is checked but not read */
  constructor(crawlUrl: CrawlUrl, settings: RequestSettings, isRead: boolean) {
    const { url, failures, before } = crawlUrl
    this.url = url
    this.failures = failures
    this.maxBody = isRead ? settings.maxBody : 0
    this.maxSitemap = isRead ? maxSitemapOf(crawlUrl, settings) : undefined
    this.before = isRead ? (before ?? undefined) : undefined
    this.isHead = !isRead && failures === 0
    // Servers that don't support HEAD may return any status, so the next attempt is a GET.
    this.mayRetry = this.isHead || failures < settings.retries
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
  return isSitemapSeed(crawlUrl) ? maxBody : undefined
}
