import type { Browser, PageListener } from '../browser/browser.ts'
import type { BrowserEvent } from '../browser/protocol.ts'

/** Maximum number of frames of a page whose links are collected. */
const MAX_FRAMES = 50
const WORLD = 'crawler'

/** The frames of a page, and the session of each: frames of other sites have processes of their own. */
export class FrameTree {
  readonly #browser: Browser
  readonly #listener: PageListener
  readonly #sessions = new Map<string, string>()
  #main: string | undefined

  constructor(browser: Browser, listener: PageListener) {
    this.#browser = browser
    this.#listener = listener
  }

  get ids(): readonly string[] {
    return [...this.#sessions.keys()].slice(0, MAX_FRAMES)
  }

  /** Updates the tree after an event of the page. */
  take(event: BrowserEvent): void {
    const { sessionId } = event
    if (sessionId === undefined) return
    if (event.method === 'Page.frameAttached') {
      this.#browser.addFrame(event.params.frameId, this.#listener)
      this.#sessions.set(event.params.frameId, sessionId)
    } else if (event.method === 'Page.frameDetached') {
      // A frame that only moves to another process is kept.
      if (event.params.reason === 'swap') return
      this.#sessions.delete(event.params.frameId)
      this.#browser.removeFrame(event.params.frameId)
    } else if (event.method === 'Page.frameNavigated') {
      const { id, parentId, url } = event.params.frame
      this.#sessions.set(id, sessionId)
      // A reused page may still be leaving its previous document.
      if (parentId === undefined && url !== 'about:blank') this.#main ??= id
    }
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
