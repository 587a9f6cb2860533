import type { Screenshot } from '../records/visit-attachments.ts'
import type { Browser } from './browser/browser.ts'

/** The settings of rendering, which can be sent to another thread. */
export interface RenderSettings {
  /** Path of the browser. */
  readonly browser: string
  /** Maximum number of pages at a time. */
  readonly pages: number
  /** Maximum milliseconds for a page, without the time in which its requests wait for the crawler. */
  readonly timeout: number
  /** Maximum characters of the rendered tree. */
  readonly maxHtml: number
  /** True to scroll, and to click buttons. */
  readonly interact: boolean
  /** True to load images and fonts, too, for an archive or for screenshots. */
  readonly loadsImages: boolean
}

/** The settings of rendering, and functions that a render calls. */
export interface RenderOptions extends RenderSettings {
  /** Takes and saves a screenshot of a page; undefined if no output saves screenshots. */
  readonly takeScreenshot?: TakeScreenshot | undefined
  /** Called with each URL that might add links to a page, if it is refused without asking the crawler. */
  readonly onRefused?: (url: string, reason: string) => void
}

/**
 * Takes and saves a screenshot of a page.
 * @throws ProtocolError if the browser has taken none
 */
export type TakeScreenshot = (page: ScreenshotTarget) => Promise<Screenshot>

/** A page to take a screenshot of, after its tree was read. */
export interface ScreenshotTarget {
  readonly browser: Browser
  readonly sessionId: string
  /** Maximum milliseconds that scripts of the page may run meanwhile. */
  readonly patience: number
  /** True if the page is clicked afterwards, so that its window must not move. */
  readonly isUsedFurther: boolean
  /** Stops the scripts of the page for good. */
  stopScripts(): void
  /** Runs a script in the page. */
  evaluate(script: string): Promise<unknown>
}
