import type { RenderRequest, Visited } from '../../messages/messages.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import {
  type RenderDecision,
  type StoredTemplate,
  TemplateMemory,
} from '../../render/learning/template-memory.ts'
import type { SavedRendering } from '../../state/ledger.ts'
import type { RenderCounts } from '../stats/stats.ts'

/** Learns which pages need a browser, for `--render auto`, and counts the rendered pages. */
export class RenderLearning {
  #templates = new TemplateMemory()
  #rendered = 0
  readonly #unrendered = new Map<string, number>()

  get counts(): RenderCounts {
    return { rendered: this.#rendered, unrendered: Object.fromEntries(this.#unrendered) }
  }

  get saved(): SavedRendering {
    const templates = this.#templates.stored.map(
      ([family, directory, state]) => ({ family, directory, ...state }) as const,
    )
    return { rendered: this.#rendered, unrendered: [...this.#unrendered], templates }
  }

  /** Continues with what an earlier run has learned. */
  restore({ rendered, unrendered, templates }: SavedRendering): void {
    this.#rendered = rendered
    for (const [reason, count] of unrendered) this.#unrendered.set(reason, count)
    const stored = templates.map(
      ({ family, directory, ...state }): StoredTemplate => [family, directory, state],
    )
    this.#templates = new TemplateMemory(stored)
  }

  /** Decides whether a page is rendered. */
  decide({ id, page, evidence }: RenderRequest): RenderDecision {
    return evidence === undefined ? 'render' : this.#templates.decide(id, page.url, evidence)
  }

  /** Takes in how many of the new URLs of a page only the browser showed. Returns its outcome without them. */
  learn({ id }: CrawlUrl, { renderedUrls, ...outcome }: Visited): Visited {
    const { unrendered } = outcome
    if (unrendered !== undefined) {
      this.#unrendered.set(unrendered, (this.#unrendered.get(unrendered) ?? 0) + 1)
    }
    if (renderedUrls === undefined) return outcome
    this.#rendered++
    const shown = new Set(renderedUrls)
    const gain = outcome.discovered.filter((url) => shown.has(url)).length
    this.#templates.learn(id, gain, shown.size)
    return outcome
  }

  /** Ends the wait for the result of a page, if it has none. */
  concluded(id: number): void {
    this.#templates.learn(id, undefined)
  }
}
