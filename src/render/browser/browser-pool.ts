import { Browser } from './browser.ts'
import type { BrowserSetup } from './browser-process.ts'
import { ProcessGuard } from './process-guard.ts'
import { openRefusingProxy, type RefusingProxy } from './refusing-proxy.ts'

/** Number of pages after which a browser is replaced, since it frees no memory by itself. */
const PAGES_PER_BROWSER = 500

/** A browser, and the number of its pages. */
interface PooledBrowser {
  readonly browser: Promise<Browser>
  started: number
  active: number
  isOld: boolean
}

/**
 * Provides a browser for each page. Pages share one browser, which is replaced after many pages, when it takes too much
 * memory, and when it crashes.
 */
export class BrowserPool {
  readonly #setup: Omit<BrowserSetup, 'proxyPort'>
  readonly #browsers = new Set<PooledBrowser>()
  readonly #ending = new AbortController()
  #proxy: Promise<RefusingProxy> | undefined
  #current: PooledBrowser | undefined

  constructor(setup: Omit<BrowserSetup, 'proxyPort'>) {
    this.#setup = setup
  }

  get isClosed(): boolean {
    return this.#ending.signal.aborted
  }

  /**
   * Runs `work`, which opens one page of the browser.
   * @throws ProtocolError if the browser doesn't start, or the error of the work
   */
  async use<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
    const pooled = this.#take()
    try {
      return await work(await pooled.browser)
    } finally {
      pooled.active--
      closeIfUnused(pooled)
    }
  }

  /** Ends all browsers. Their pages fail. */
  async close(): Promise<void> {
    this.#ending.abort()
    const closed = [...this.#browsers].map(async ({ browser }) => (await browser).close())
    await Promise.allSettled(closed)
    ;(await this.#proxy)?.close()
  }

  /** Returns the browser for another page. */
  #take(): PooledBrowser {
    this.#current ??= this.#begin()
    const pooled = this.#current
    pooled.active++
    if (++pooled.started >= PAGES_PER_BROWSER) pooled.isOld = true
    if (pooled.isOld) this.#current = undefined
    return pooled
  }

  #begin(): PooledBrowser {
    this.#proxy ??= openRefusingProxy()
    const browser = this.#proxy.then(({ port }) => this.#start({ ...this.#setup, proxyPort: port }))
    const pooled: PooledBrowser = { browser, started: 0, active: 0, isOld: false }
    this.#browsers.add(pooled)
    const retire = () => {
      pooled.isOld = true
      if (this.#current === pooled) this.#current = undefined
    }
    browser.then((started) => {
      const guard = new ProcessGuard(started, retire)
      void started.ended.then(() => {
        guard.stop()
        retire()
        this.#browsers.delete(pooled)
      })
    }, retire)
    return pooled
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
function closeIfUnused({ active, browser, isOld }: PooledBrowser): void {
  if (isOld && active === 0) browser.then((each) => each.close()).catch(() => {})
}
