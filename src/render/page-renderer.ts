import { BrowserPool } from './browser/browser-pool.ts'
import { PageRender } from './page/page-render.ts'
import type { RenderOptions } from './render-options.ts'
import { RenderOrder } from './render-order.ts'
import {
  type FetchedPage,
  type LoadResource,
  type RenderedPage,
  RenderFailure,
} from './rendered-page.ts'
import { ResourceCache } from './resource-cache.ts'

/** Maximum number of attempts at a page that crashes, or whose browser crashes. */
const MAX_ATTEMPTS = 2

/** Renders pages in a browser, several at a time. */
export class PageRenderer {
  readonly #options: RenderOptions
  readonly #browsers: BrowserPool
  readonly #cache: ResourceCache
  readonly #waiting = new RenderOrder<number, () => void>()
  #active = 0
  #lastKey = 0

  constructor(options: RenderOptions, load: LoadResource) {
    const { browser: path, loadsImages } = options
    this.#options = options
    this.#browsers = new BrowserPool({ path, loadsImages })
    this.#cache = new ResourceCache(load)
  }

  /**
   * Renders a page as soon as there is room for it.
   * @param signs number of signs that the page needs a browser; pages with more signs go first
   * @throws RenderFailure if each attempt fails; ProtocolError if the browser doesn't start
   */
  async render(page: FetchedPage, signs = 0): Promise<RenderedPage> {
    if (this.#active >= this.#options.pages) {
      await new Promise<void>((resolve) => this.#waiting.add(++this.#lastKey, resolve, signs))
    } else this.#active++
    try {
      return await this.#attempt(page, 1)
    } finally {
      this.#beginNext()
    }
  }

  /** Ends all browsers. Renders under way fail. */
  close(): Promise<void> {
    return this.#browsers.close()
  }

  #beginNext(): void {
    const [[key, begin] = []] = this.#waiting
    if (key === undefined || begin === undefined) this.#active--
    else {
      this.#waiting.delete(key)
      begin()
    }
  }

  async #attempt(page: FetchedPage, attempt: number): Promise<RenderedPage> {
    if (this.#browsers.isClosed) throw new RenderFailure('the crawl has ended')
    try {
      return await this.#browsers.use((browser) =>
        new PageRender(browser, page, this.#cache.load, this.#options).run(),
      )
    } catch (error) {
      const mayRetry = error instanceof RenderFailure && error.isCrash && attempt < MAX_ATTEMPTS
      if (!mayRetry) throw error
      return await this.#attempt(page, attempt + 1)
    }
  }
}
