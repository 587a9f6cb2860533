import type { Logger } from '../../logger.ts'
import type { Visited } from '../../messages/outcome.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import { ScreenshotCounter } from '../../screenshots/screenshot-counter.ts'
import type { SavedRendering } from '../../state/ledger.ts'
import type { RenderCounts } from '../stats/stats.ts'

type SavedCounts = Pick<SavedRendering, 'rendered' | 'unrendered' | 'screenshots'>

/** Counts the pages that were rendered, those that were not, by reason, and the screenshots, over all runs. */
export class RenderTally {
  #rendered = 0
  readonly #unrendered = new Map<string, number>()
  readonly #screenshots: ScreenshotCounter

  constructor(logger: Logger) {
    this.#screenshots = new ScreenshotCounter(logger)
  }

  get counts(): RenderCounts {
    const { saved } = this
    return { ...saved, unrendered: Object.fromEntries(saved.unrendered) }
  }

  get saved(): SavedCounts {
    const screenshots = this.#screenshots.counts
    const counts = { rendered: this.#rendered, unrendered: [...this.#unrendered] }
    return { ...counts, ...(screenshots && { screenshots }) }
  }

  /** Restores the counts of earlier runs. */
  restore({ rendered, unrendered, screenshots }: SavedCounts): void {
    this.#rendered = rendered
    for (const [reason, count] of unrendered) this.#unrendered.set(reason, count)
    if (screenshots !== undefined) this.#screenshots.restore(screenshots)
  }

  /** Counts a page. Returns its outcome, unchanged. */
  count({ url }: CrawlUrl, outcome: Visited): Visited {
    const { renderedUrls, screenshot, unrendered } = outcome
    if (unrendered !== undefined) {
      this.#unrendered.set(unrendered, (this.#unrendered.get(unrendered) ?? 0) + 1)
    }
    if (renderedUrls === undefined) return outcome
    this.#rendered++
    this.#screenshots.count(url, screenshot)
    return outcome
  }
}
