import type { Screenshot } from '../../records/visit-attachments.ts'
import type { Browser } from '../browser/browser.ts'

/**
 * Takes and saves a picture of the page of a session, within a number of milliseconds.
 * @throws ProtocolError if the browser has taken none
 */
export type TakeScreenshot = (
  browser: Browser,
  sessionId: string,
  limit: number,
) => Promise<Screenshot>

export interface RenderLimits {
  /** Maximum milliseconds for a page, without the time in which its requests wait for the crawler. */
  readonly timeout: number
  /** Maximum characters of the rendered tree. */
  readonly maxHtml: number
  /** True to scroll, and to click buttons. */
  readonly interact: boolean
  /** True to load images and fonts, too. */
  readonly loadsImages: boolean
  /** Takes and saves a picture of a page, which shows its top; undefined if no output saves screenshots. */
  readonly takeScreenshot?: TakeScreenshot | undefined
  /** Called with each URL that might add links to a page, if it is refused without asking the crawler. */
  readonly onRefused?: (url: string, reason: string) => void
}
