import type { PageCrawl } from './hooks.ts'

/** Maximum number of URLs that a hook may add to a page. */
const MAX_URLS = 1_000
/** Maximum characters of a URL that are kept. A longer URL is not crawled anyway. */
const MAX_LENGTH = 10_000

/** Collects the URLs that a hook adds to the crawl while it processes a page. */
export class EnqueuedUrls implements PageCrawl {
  /** The URLs as the hook wrote them. */
  readonly urls: string[] = []
  #isClosed = false

  // A property, so that a hook may call it without its object.
  readonly enqueue = (url: string | URL): void => {
    if (this.#isClosed) throw new Error('enqueue: expected a call before onPage is done')
    if (typeof url !== 'string' && !(url instanceof URL)) {
      throw new TypeError(
        `enqueue: expected a URL, got ${url === null ? 'null' : `a ${typeof url}`}`,
      )
    }
    if (this.urls.length === MAX_URLS) {
      throw new RangeError(`enqueue: expected at most ${MAX_URLS} URLs of a page`)
    }
    this.urls.push(String(url).slice(0, MAX_LENGTH))
  }

  /** Makes further calls of `enqueue` fail. */
  close(): void {
    this.#isClosed = true
  }
}
