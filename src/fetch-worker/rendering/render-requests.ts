import { isUtf8 } from 'node:buffer'
import { declaredCharset } from '../../html/reference-scanner/declared-charset.ts'
import type { RenderRequest } from '../../messages/from-worker.ts'
import type { Attempt } from '../../messages/outcome.ts'
import type { RenderResult, Unrendered } from '../../messages/render-messages.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { PageEvidence } from '../../render/learning/template-memory.ts'
import type { PageResponse } from '../page/page-reading.ts'
import { pageEvidence } from './page-evidence.ts'

type SendRequest = (request: RenderRequest, transfer: ArrayBuffer[]) => void

/** Decides which pages of this worker may need a browser, and has the main thread get them rendered. */
export class RenderRequests {
  readonly #setup: Pick<WorkerSetup, 'render' | 'depth'>
  readonly #send: SendRequest
  readonly #waiting = new Map<number, (result: RenderResult) => void>()

  constructor(setup: Pick<WorkerSetup, 'render' | 'depth'>, send: SendRequest) {
    this.#setup = setup
    this.#send = send
  }

  /**
   * Returns the evidence by which to decide whether to render a page. Returns undefined if all pages are rendered, and
   * a reason if this page is not.
   */
  evidenceOf(
    { url, depth }: CrawlUrl,
    { body, contentType }: PageResponse,
  ): PageEvidence | Unrendered | undefined {
    if (this.#setup.render === 'always') return undefined
    // None of the page's links would be followed.
    if (depth >= this.#setup.depth) return 'deepest'
    return pageEvidence(url, body, contentType?.charset) ?? 'no-scripts'
  }

  /** Has a page rendered. Resolves with the page as a browser shows it, or the reason why it was not rendered. */
  render(
    { id, url, isReread }: CrawlUrl,
    response: PageResponse,
    attempt: Attempt,
    evidence: PageEvidence | undefined,
  ): Promise<RenderResult> {
    const copy = new Uint8Array(response.body)
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      const page = { url, headers: headersWithType(response), body: copy, isReread }
      const request = { type: 'render', id, attempt, page, ...(evidence && { evidence }) } as const
      this.#send(request, [copy.buffer])
    })
  }

  rendered(id: number, result: RenderResult): void {
    this.#waiting.get(id)?.(result)
    this.#waiting.delete(id)
  }
}

/** Adds a page's type and encoding to its headers, so that the browser doesn't guess others than the crawler. */
function headersWithType({ headers, contentType, body }: PageResponse): PageResponse['headers'] {
  // An XHTML page declares its encoding in XML.
  if (contentType?.type === 'application/xhtml+xml') return headers
  const declared = declaredCharset(body, contentType?.charset)
  const charset = declared ?? (isUtf8(body) ? 'utf-8' : undefined)
  return { ...headers, 'content-type': `text/html${charset ? `; charset=${charset}` : ''}` }
}
