import { isSameSite } from '../../url/same-site.ts'
import type { Browser } from '../browser/browser.ts'
import type { PageListener } from '../browser/frame-requests.ts'
import type { BrowserEvent } from '../browser/protocol.ts'

/** Maximum number of frames of a page whose links are collected. */
const MAX_FRAMES = 50
const WORLD = 'crawler'

/** The frames of a page, and the session of each: frames of other sites have processes of their own. */
export class FrameTree {
  readonly #browser: Browser
  readonly #listener: PageListener
  readonly #url: string
  readonly #sessions = new Map<string, string>()
  /** Frames that belong to the site of the page, as do all frames around them. */
  readonly #ofSite = new Set<string>()
  #main: string | undefined

  /** @param url URL of the page */
  constructor(browser: Browser, listener: PageListener, url: string) {
    this.#browser = browser
    this.#listener = listener
    this.#url = url
  }

  get ids(): readonly string[] {
    return [...this.#sessions.keys()].slice(0, MAX_FRAMES)
  }

  /** Updates the tree after an event of the page. */
  update(event: BrowserEvent): void {
    const { sessionId } = event
    if (sessionId === undefined) return
    if (event.method === 'Page.frameAttached') {
      const { frameId, parentFrameId } = event.params
      if (this.isOfSite(parentFrameId)) this.#ofSite.add(frameId)
      this.#sessions.set(frameId, sessionId)
      this.#browser.addFrame(frameId, this.#listener)
    } else if (event.method === 'Page.frameDetached') {
      // A frame that only moves to another process is kept.
      if (event.params.reason === 'swap') return
      this.#sessions.delete(event.params.frameId)
      this.#ofSite.delete(event.params.frameId)
      this.#browser.removeFrame(event.params.frameId)
    } else if (event.method === 'Page.frameNavigated') {
      const { id, parentId, url } = event.params.frame
      this.#sessions.set(id, sessionId)
      // A reused page may still be leaving its previous document.
      if (parentId === undefined && url !== 'about:blank') this.#main ??= id
    }
  }

  /**
   * Records the URL of a document that a frame is about to show. A frame that has shown a document of another site
   * never belongs to the site of the page again.
   */
  documentLoaded(frameId: string, url: string): void {
    if (!isSameSite(url, this.#url)) this.#ofSite.delete(frameId)
  }

  /** Returns whether a frame and all frames around it belong to the site of the page. */
  isOfSite(frameId: string): boolean {
    return frameId === this.#main || this.#ofSite.has(frameId)
  }

  /** The main frame of the page; undefined until its document has arrived. */
  get main(): string | undefined {
    return this.#main
  }

  /**
   * Runs a script in a frame, in an isolated world that the page's scripts can't change. Returns its value.
   * @throws ProtocolError
   */
  async evaluate<T>(frameId: string, expression: string): Promise<T | undefined> {
    const sessionId = this.#sessions.get(frameId)
    if (sessionId === undefined) return undefined
    const { executionContextId: contextId } = await this.#browser.send(
      'Page.createIsolatedWorld',
      { frameId, worldName: WORLD },
      sessionId,
    )
    const { result, exceptionDetails } = await this.#browser.send(
      'Runtime.evaluate',
      { expression, contextId, awaitPromise: true, returnByValue: true },
      sessionId,
    )
    return exceptionDetails === undefined ? result.value : undefined
  }
}
