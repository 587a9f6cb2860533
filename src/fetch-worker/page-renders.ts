import type { Attempt, RenderRequest } from '../messages/messages.ts'
import type { RenderResult, Unrendered } from '../messages/render-messages.ts'
import type { WorkerSetup } from '../messages/worker-setup.ts'
import type { CrawlUrl } from '../records/crawl-url.ts'
import type { PageEvidence } from '../render/learning/template-memory.ts'
import type { PageResponse } from './page/page-reading.ts'
import { pageEvidence } from './page-evidence.ts'

type SendRequest = (request: RenderRequest, transfer: ArrayBuffer[]) => void

/** The pages of this worker that a browser shows. */
export class PageRenders {
  readonly #setup: Pick<WorkerSetup, 'render' | 'depth'>
  readonly #send: SendRequest
  readonly #waiting = new Map<number, (result: RenderResult) => void>()

  constructor(setup: Pick<WorkerSetup, 'render' | 'depth'>, send: SendRequest) {
    this.#setup = setup
    this.#send = send
  }

  /** Returns what decides whether a page is rendered; undefined if all are, and a reason if this one is not. */
  evidenceOf(
    { url, depth }: CrawlUrl,
    { body }: PageResponse,
  ): PageEvidence | Unrendered | undefined {
    if (this.#setup.render === 'always') return undefined
    // None of its links would be followed.
    if (depth >= this.#setup.depth) return 'deepest'
    return pageEvidence(url, body) ?? 'no-scripts'
  }

  /** Resolves with the page as a browser shows it. */
  render(
    { id, url }: CrawlUrl,
    { headers, body }: PageResponse,
    attempt: Attempt,
    evidence: PageEvidence | undefined,
  ): Promise<RenderResult> {
    const copy = new Uint8Array(body)
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      const page = { url, headers, body: copy }
      const request = { type: 'render', id, attempt, page, ...(evidence && { evidence }) } as const
      this.#send(request, [copy.buffer])
    })
  }

  rendered(id: number, result: RenderResult): void {
    this.#waiting.get(id)?.(result)
    this.#waiting.delete(id)
  }
}
