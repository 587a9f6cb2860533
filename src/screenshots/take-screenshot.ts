import type { IncomingFolder } from '../records/incoming-file.ts'
import type { ScreenshotTarget, TakeScreenshot } from '../render/render-options.ts'
import { IncomingFiles } from '../saved-files/incoming-files.ts'

/** Maximum width and height of a screenshot, in pixels. Chromium draws taller ones wrongly. */
const MAX_WIDTH = 1_280
const MAX_HEIGHT = 16_384
/** Maximum bytes of a screenshot. A larger one is taken again with half of the maximum height. */
const MAX_BYTES = 32 * 2 ** 20
/** Maximum milliseconds for a screenshot, for which a busy machine needs long. */
const LIMIT_MS = 30_000

/** Milliseconds between two attempts to stop the scripts of a page. */
const CHECK_MS = 250

/** A script that scrolls a page to its top, and the area in the middle of the window to its own. */
const TO_TOP = `{
  const areas = [document.scrollingElement, ...document.elementsFromPoint(innerWidth / 2, innerHeight / 2)]
  self.scrolled = areas.flatMap((area) => (area?.scrollTop ? [[area, area.scrollTop]] : []))
  for (const [area] of self.scrolled) area.scrollTo({ top: 0, behavior: 'instant' })
}`
/** A script that scrolls them back, since parts of a page may exist only while they are visible. */
const BACK =
  "for (const [area, top] of self.scrolled ?? []) area.scrollTo({ top, behavior: 'instant' })"

/**
 * Returns a function that takes screenshots of pages, as PNG, and writes each to a file. The main thread chooses its final
 * name later. The bytes don't leave this thread.
 * @param owner number of the thread, never reused
 */
export function screenshotTaker(folder: IncomingFolder, owner: number): TakeScreenshot {
  const files = new IncomingFiles(folder, owner)
  return async (page) => {
    const { browser, sessionId } = page
    const image = await browser.inFront(sessionId, LIMIT_MS, () => takeFromTop(page))
    return files.write(image)
  }
}

/** Returns a screenshot of a page from its top. */
async function takeFromTop(page: ScreenshotTarget): Promise<Buffer> {
  const stopWatching = stopEndlessScripts(page)
  try {
    await page.evaluate(TO_TOP).catch(() => {})
    return await captureImage(page)
  } finally {
    if (page.isUsedFurther) await page.evaluate(BACK).catch(() => {})
    stopWatching()
  }
}

/** Stops the scripts of a page that doesn't answer for long: while a script runs, the browser can't draw the page. */
function stopEndlessScripts(page: ScreenshotTarget): () => void {
  let askedAt: number | undefined
  const ask = () => {
    askedAt = performance.now()
    const answered = () => {
      askedAt = undefined
    }
    page.evaluate('0').then(answered, answered)
  }
  const timer = setInterval(() => {
    if (askedAt === undefined) ask()
    else if (performance.now() > askedAt + page.patience) page.stopScripts()
  }, CHECK_MS)
  return () => clearInterval(timer)
}

/** Returns an image of the whole page, or of its upper part if it is too large. */
async function captureImage({ browser, sessionId }: ScreenshotTarget): Promise<Buffer> {
  const layout = await browser.send('Page.getLayoutMetrics', undefined, sessionId)
  const { cssLayoutViewport: window, cssContentSize: content } = layout
  const width = bounded(window.clientWidth, MAX_WIDTH)
  const height = bounded(content.height, MAX_HEIGHT)
  const take = async (part: number) => {
    const { data } = await browser.send(
      'Page.captureScreenshot',
      {
        format: 'png',
        captureBeyondViewport: true,
        optimizeForSpeed: true,
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
