import type { Logger } from '../logger.ts'
import type { Screenshot } from '../records/visit-attachments.ts'

/** Number of rendered pages with a screenshot, and of those of which none could be taken. */
export interface ScreenshotCounts {
  readonly taken: number
  readonly missing: number
}

/** Counts screenshots, and warns of the first page without one. */
export class ScreenshotCounter {
  readonly #logger: Logger
  #taken = 0
  #missing = 0
  #hasWarned = false

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** The numbers; undefined until a page should have one. */
  get counts(): ScreenshotCounts | undefined {
    const [taken, missing] = [this.#taken, this.#missing]
    return taken + missing === 0 ? undefined : { taken, missing }
  }

  /** Adds the numbers of earlier runs. */
  restore({ taken, missing }: ScreenshotCounts): void {
    this.#taken += taken
    this.#missing += missing
  }

  /** @param screenshot of a rendered page; undefined if none was wanted */
  count(url: string, screenshot: Screenshot | undefined): void {
    if (screenshot !== undefined && 'file' in screenshot) this.#taken++
    // A screenshot that could not be written ends the crawl.
    if (screenshot === undefined || !('missing' in screenshot)) return
    this.#missing++
    if (this.#hasWarned) return
    this.#hasWarned = true
    const text = `No screenshot of ${url}: ${screenshot.missing}; the summary counts all pages without one`
    this.#logger.warn({ url }, text)
  }
}
