import type { FetchResponse } from '../fetch/fetcher.ts'
import type { Attempt, RenderRequest } from '../messages/messages.ts'
import type { RenderResult } from '../messages/render-messages.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'

/** The pages of this worker that a browser shows. */
export class PageRenders {
  readonly #send: (request: RenderRequest, transfer: ArrayBuffer[]) => void
  readonly #waiting = new Map<number, (result: RenderResult) => void>()

  constructor(send: (request: RenderRequest, transfer: ArrayBuffer[]) => void) {
    this.#send = send
  }

  /** Resolves with the page as a browser shows it. */
  render(
    { id, url }: CrawlUrl,
    { headers, body }: FetchResponse & { readonly body: Buffer },
    attempt: Attempt,
  ): Promise<RenderResult> {
    const copy = new Uint8Array(body)
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      const page = { url, headers, body: copy }
      this.#send({ type: 'render', id, attempt, page }, [copy.buffer])
    })
  }

  rendered(id: number, result: RenderResult): void {
    this.#waiting.get(id)?.(result)
    this.#waiting.delete(id)
  }
}
