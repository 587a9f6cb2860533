import { writeIncoming } from '../mirror/body-files.ts'
import type { IncomingFolder } from '../records/visit-attachments.ts'
import type { Browser } from '../render/browser/browser.ts'
import type { TakeScreenshot } from '../render/page/render-limits.ts'

/** Maximum width and height of a picture, in pixels. Browsers draw nothing right beyond this height. */
const MAX_WIDTH = 1_280
const MAX_HEIGHT = 16_384
/** Maximum bytes of a picture, unless it has half of the height at most. */
const MAX_BYTES = 32 * 2 ** 20

/**
 * Returns a function that takes pictures of pages, as PNG, and writes each to a file. The main thread chooses its final
 * name later. The bytes don't leave this thread, and it has one picture in memory at a time for each browser.
 * @param owner number of the thread, never reused
 */
export function screenshotTaker(folder: IncomingFolder, owner: number): TakeScreenshot {
  let count = 0
  return (browser, sessionId, limit) =>
    browser.inFront(sessionId, limit, async () =>
      writeIncoming(folder, `${owner}-${++count}`, await takePicture(browser, sessionId)),
    )
}

/** Returns a picture of the whole page, or of its upper part if it is too large. */
async function takePicture(browser: Browser, sessionId: string): Promise<Buffer> {
  const layout = await browser.send('Page.getLayoutMetrics', undefined, sessionId)
  const { cssLayoutViewport: window, cssContentSize: content } = layout
  const width = bounded(window.clientWidth, MAX_WIDTH)
  const height = bounded(content.height, MAX_HEIGHT)
  const take = async (part: number) => {
    const { data } = await browser.send(
      'Page.captureScreenshot',
      {
        ...{ format: 'png', captureBeyondViewport: true, optimizeForSpeed: true },
        clip: { x: 0, y: 0, width, height: part, scale: 1 },
      },
      sessionId,
    )
    return Buffer.from(data, 'base64')
  }
  const whole = await take(height)
  const isFit = whole.length <= MAX_BYTES || height <= MAX_HEIGHT / 2
  return isFit ? whole : take(MAX_HEIGHT / 2)
}

function bounded(pixels: number, most: number): number {
  return Math.max(1, Math.min(Math.ceil(pixels), most))
}
