import { Browser } from './browser/browser.ts'
import type { BrowserSetup } from './browser/browser-process.ts'
import { ProcessGuard } from './browser/process-guard.ts'
import { openRefusingProxy, type RefusingProxy } from './browser/refusing-proxy.ts'
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

/** Number of pages after which a browser is replaced, since it frees no memory by itself. */
const PAGES_PER_BROWSER = 500
/** Maximum number of attempts at a page that crashes, or whose browser crashes. */
const MAX_ATTEMPTS = 2

/** A browser, and the number of its pages. */
interface Generation {
  readonly browser: Promise<Browser>
  started: number
  active: number
  isOld: boolean
}

/** Renders several pages at a time in a browser. The browser is replaced after many pages, and when it crashes. */
export class PageRenderer {
  readonly #options: RenderOptions
  readonly #cache: ResourceCache
  readonly #waiting = new RenderOrder<number, () => void>()
  readonly #generations = new Set<Generation>()
  readonly #ending = new AbortController()
  #proxy: Promise<RefusingProxy> | undefined
  #current: Generation | undefined
  #active = 0
  #lastKey = 0

  constructor(options: RenderOptions, load: LoadResource) {
    this.#options = options
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

  #beginNext(): void {
    const [[key, begin] = []] = this.#waiting
    if (key === undefined || begin === undefined) this.#active--
    else {
      this.#waiting.delete(key)
      begin()
    }
  }

  /** Ends all browsers. Renders under way fail. */
  async close(): Promise<void> {
    this.#ending.abort()
    const closed = [...this.#generations].map(async ({ browser }) => (await browser).close())
    await Promise.allSettled(closed)
    ;(await this.#proxy)?.close()
  }

  async #attempt(page: FetchedPage, attempt: number): Promise<RenderedPage> {
    if (this.#ending.signal.aborted) throw new RenderFailure('the crawl has ended')
    const generation = this.#take()
    try {
      const browser = await generation.browser
      return await new PageRender(browser, page, this.#cache.load, this.#options).run()
    } catch (error) {
      const mayRetry = error instanceof RenderFailure && error.isCrash && attempt < MAX_ATTEMPTS
      if (!mayRetry) throw error
      return await this.#attempt(page, attempt + 1)
    } finally {
      generation.active--
      closeIfUnused(generation)
    }
  }

  /** Returns the browser for another page. */
  #take(): Generation {
    this.#current ??= this.#begin()
    const generation = this.#current
    generation.active++
    if (++generation.started >= PAGES_PER_BROWSER) generation.isOld = true
    if (generation.isOld) this.#current = undefined
    return generation
  }

  #begin(): Generation {
    const { browser: path, loadsImages } = this.#options
    this.#proxy ??= openRefusingProxy()
    const browser = this.#proxy.then(({ port }) =>
      this.#start({ path, proxyPort: port, loadsImages }),
    )
    const generation: Generation = { browser, started: 0, active: 0, isOld: false }
    this.#generations.add(generation)
    const retire = () => {
      generation.isOld = true
      if (this.#current === generation) this.#current = undefined
    }
    browser.then((started) => {
      const guard = new ProcessGuard(started, retire)
      void started.ended.then(() => {
        guard.stop()
        retire()
        this.#generations.delete(generation)
      })
    }, retire)
    return generation
  }

  /** Starts a browser, with a second attempt: a system that is short of memory may kill a browser that starts. */
  async #start(setup: BrowserSetup): Promise<Browser> {
    const { signal } = this.#ending
    try {
      return await Browser.start(setup, signal)
    } catch (error) {
      if (signal.aborted) throw error
      return await Browser.start(setup, signal)
    }
  }
}

/** Closes an old browser once no page uses it any more. */
function closeIfUnused({ active, browser, isOld }: Generation): void {
  if (isOld && active === 0) browser.then((each) => each.close()).catch(() => {})
}
