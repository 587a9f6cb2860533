import { isSameSite } from '../../url/same-site.ts'
import type { Browser } from '../browser/browser.ts'
import type { PausedRequest } from '../browser/frame-requests.ts'
import type { FetchedPage, LoadResource, ResourceLoad, ResourceReply } from '../rendered-page.ts'
import { Activity } from './activity.ts'
import type { FrameTree } from './frame-tree.ts'
import { headersToSend, isWanted, refusalOf } from './request-policy.ts'
import { browserHeaders } from './response-headers.ts'

/** Maximum number of requests of a page. */
const MAX_REQUESTS = 500
/** Maximum bytes of all responses to a page. */
const MAX_BYTES = 64 * 2 ** 20

interface RequestOptions {
  readonly frames: FrameTree
  /** True to load images and fonts, too. */
  readonly loadsImages: boolean
  /** Called with each URL that the page itself navigates to. These requests are refused. */
  readonly onNavigation: (url: string) => void
  /** Called with each URL that might add links, if it is refused here. */
  readonly onRefused: (url: string, reason: string) => void
}

/** Answers the requests of one page. Its document was already fetched; the crawler fetches everything else. */
export class PageRequests {
  readonly activity = new Activity()
  readonly #browser: Browser
  readonly #page: FetchedPage
  readonly #load: LoadResource
  readonly #options: RequestOptions
  #hasDocument = false
  #bytes = 0

  constructor(browser: Browser, page: FetchedPage, load: LoadResource, options: RequestOptions) {
    this.#browser = browser
    this.#page = page
    this.#load = load
    this.#options = options
  }

  /** @param isMainFrame true for a request of the page, false for one of its frames */
  answer(paused: PausedRequest, isMainFrame: boolean): void {
    const { request, requestId, resourceType } = paused
    const { loadsImages, onRefused } = this.#options
    if (isMainFrame && resourceType === 'Document') {
      this.#answerDocument(paused)
      return
    }
    const isRequested = isWanted(request, resourceType, loadsImages)
    const reason = isRequested ? this.#limitReached : refusalOf(request, resourceType)
    if (reason !== undefined) onRefused(request.url, reason)
    if (!isRequested || reason !== undefined) this.#browser.refuse(requestId, 'BlockedByClient')
    else void this.#answerResource(paused, this.#loadOf(paused, isMainFrame))
  }

  /** Returns the request to make for a request of the page. */
  #loadOf({ request, frameId }: PausedRequest, isMainFrame: boolean): ResourceLoad {
    const headers = headersToSend(request.headers)
    const isOfSite = isMainFrame || this.#options.frames.isOfSite(frameId)
    // A frame without an origin of its own, such as one in a sandbox, sends `Origin: null`.
    const { origin = this.#page.url } = headers
    const isSame = [request.url, origin].every((url) => isSameSite(url, this.#page.url))
    return { url: request.url, headers, isCrossSite: !(isOfSite && isSame) }
  }

  /** The limit that the page has reached; undefined if it may load more. */
  get #limitReached(): string | undefined {
    if (this.activity.total >= MAX_REQUESTS) return `the page has made ${MAX_REQUESTS} requests`
    return this.#bytes > MAX_BYTES ? `the page has loaded ${MAX_BYTES / 2 ** 20} MiB` : undefined
  }

  #answerDocument({ request, requestId }: PausedRequest): void {
    if (this.#hasDocument) {
      if (request.method === 'GET') this.#options.onNavigation(request.url)
      // The page stays at its document.
      this.#browser.refuse(requestId, 'Aborted')
      return
    }
    this.#hasDocument = true
    void this.#fulfill(requestId, { ...this.#page, status: 200 })
  }

  async #answerResource(
    { requestId, resourceType, frameId }: PausedRequest,
    load: ResourceLoad,
  ): Promise<void> {
    this.activity.began()
    try {
      const reply = await this.#load(load)
      if ('refused' in reply) this.#browser.refuse(requestId, 'BlockedByClient')
      else {
        this.#bytes += reply.body.length
        const isRedirect = reply.status >= 300 && reply.status < 400
        if (resourceType === 'Document' && !isRedirect)
          this.#options.frames.documentLoaded(frameId, load.url)
        await this.#fulfill(requestId, reply)
      }
    } finally {
      this.activity.ended()
    }
  }

  async #fulfill(
    requestId: string,
    { status, headers, body }: Exclude<ResourceReply, { refused: string }>,
  ): Promise<void> {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
    try {
      await this.#browser.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: status,
        responseHeaders: browserHeaders(headers),
        body: bytes.toString('base64'),
      })
    } catch {
      // The frame is gone, or the browser rejects the headers.
      this.#browser.refuse(requestId, 'Failed')
    }
  }
}
