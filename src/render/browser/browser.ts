import { BrowserProcess, type BrowserSetup } from './browser-process.ts'
import { ContextPool, type IdlePage } from './context-pool.ts'
import { FrameRequests, type PageListener } from './frame-requests.ts'
import { NEW_DOCUMENT } from './new-document-script.ts'
import type { BrowserEvent, CommandName, ParamsOf, Protocol, ResultOf } from './protocol.ts'
import { withDeadline } from './with-deadline.ts'

/** A page of the browser. */
export interface PageTarget {
  readonly targetId: string
  readonly sessionId: string
  /** Returns the page to the browser. @param isSound false if it can't be used again: it hangs or has crashed */
  release(isSound: boolean): void
}

/** Maximum number of times that a page is used. */
const MAX_USES = 20
/** Milliseconds that a browser has to start, and then to open a page. */
const START_MS = 60_000
/** Milliseconds that a page has to leave its document. */
const LEAVE_MS = 1_000

/** Attaches to pages and everything in them, but not to the browser's own windows. */
const ATTACH: Protocol.Target.SetAutoAttachRequest = {
  autoAttach: true,
  waitForDebuggerOnStart: true,
  flatten: true,
  filter: [
    ...['browser', 'tab', 'browser_ui', 'webview'].map((type) => ({ type, exclude: true })),
    {},
  ],
}

/** A running browser, all of whose requests are paused until the crawler answers them. */
export class Browser {
  readonly #process: BrowserProcess
  readonly #contexts: ContextPool
  /** The listener of each session. A page has a session of its own, and further ones for its frames and workers. */
  readonly #sessions = new Map<string, PageListener>()
  readonly #frames = new FrameRequests((requestId) => this.refuse(requestId, 'Aborted'))
  /** The sessions of workers. */
  readonly #workers = new Set<string>()
  /** Sessions of pages that `#create` hasn't claimed yet, by target. */
  readonly #unclaimed = new Map<string, string>()
  #creating: Promise<unknown> = Promise.resolve()
  #front: Promise<unknown> = Promise.resolve()

  private constructor(setup: BrowserSetup) {
    this.#process = new BrowserProcess(setup, (event) => this.#take(event))
    this.#contexts = new ContextPool(this.#process.connection)
    void this.ended.then((reason) => {
      for (const listener of new Set(this.#sessions.values())) listener.onGone(reason)
    })
  }

  /**
   * Starts a browser. Requests that belong to no page are refused.
   * @param signal kills the browser if it is aborted before the browser has started
   * @throws ProtocolError if it doesn't start
   */
  static async start(setup: BrowserSetup, signal: AbortSignal): Promise<Browser> {
    const browser = new Browser(setup)
    const kill = () => browser.kill()
    signal.addEventListener('abort', kill)
    try {
      const paused = browser.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
      await withDeadline(START_MS, paused)
      await browser.send('Target.setAutoAttach', ATTACH)
      return browser
    } catch (error) {
      browser.kill()
      throw error
    } finally {
      signal.removeEventListener('abort', kill)
    }
  }

  /** Resolves with the reason when the browser has ended. */
  get ended(): Promise<string> {
    return this.#process.ended
  }

  send<Name extends CommandName>(
    method: Name,
    params?: ParamsOf<Name>,
    sessionId?: string,
  ): Promise<ResultOf<Name>> {
    return this.#process.connection.send(method, params, sessionId)
  }

  /**
   * Opens a page, or reuses an idle one. Pages with the same key share a context: cookies and storage.
   * @throws ProtocolError
   */
  async openPage(key: string, listener: PageListener): Promise<PageTarget> {
    // Kills a browser that hangs. Its pages are rendered in another one.
    const timer = setTimeout(() => this.kill(), START_MS)
    try {
      return await this.#openPage(key, listener)
    } finally {
      clearTimeout(timer)
    }
  }

  async #openPage(key: string, listener: PageListener): Promise<PageTarget> {
    const context = await this.#contexts.take(key)
    try {
      const page = context.idle.pop() ?? (await this.#openNext(context.id))
      const { targetId, sessionId } = page
      page.uses++
      this.#sessions.set(sessionId, listener)
      this.addFrame(targetId, listener)
      const release = async (isSound: boolean) => {
        this.#forget(listener)
        const isLeft = isSound && page.uses < MAX_USES && (await this.#leave(sessionId))
        if (isLeft) context.idle.push(page)
        else this.#closeTarget(targetId)
        context.release()
      }
      return { targetId, sessionId, release: (isSound) => void release(isSound) }
    } catch (error) {
      context.release()
      throw error
    }
  }

  /** Records that a frame belongs to a page. */
  addFrame(frameId: string, listener: PageListener): void {
    this.#frames.add(frameId, listener)
  }

  removeFrame(frameId: string): void {
    this.#frames.remove(frameId)
  }

  /** Resolves with the number of workers of a page, when each has finished its pending work. */
  async settleWorkers(listener: PageListener): Promise<number> {
    const workers = [...this.#workers].filter((id) => this.#sessions.get(id) === listener)
    const settle = (id: string) => this.send('Runtime.evaluate', { expression: '0' }, id)
    await Promise.allSettled(workers.map(settle))
    return workers.length
  }

  /**
   * Brings a page to the front for an action, one page after the other. The browser draws other pages seldom, or never.
   * @param ms maximum milliseconds of the action
   * @throws ProtocolError
   */
  inFront<T>(sessionId: string, ms: number, act: () => Promise<T>): Promise<T> {
    const acted = this.#front.then(() => {
      const raised = this.send('Page.bringToFront', undefined, sessionId)
      return withDeadline(ms, raised.then(act))
    })
    this.#front = acted.catch(() => {})
    return acted
  }

  /** Refuses a request. */
  refuse(requestId: string, errorReason: Protocol.Network.ErrorReason): void {
    this.#tell('Fetch.failRequest', { requestId, errorReason })
  }

  close(): Promise<void> {
    return this.#process.close()
  }

  kill(): void {
    this.#process.kill()
  }

  /** Opens a page when earlier ones have opened. So any other page that attaches meanwhile is a popup. */
  async #openNext(contextId: string): Promise<IdlePage> {
    const created = this.#creating.then(() => this.#create(contextId))
    this.#creating = created.catch(() => {})
    const { targetId, sessionId } = await created
    await Promise.all([
      ...this.#startPage(sessionId),
      // Of several tabs, only one is visible. The others would draw nothing, and not scroll.
      this.send('Emulation.setFocusEmulationEnabled', { enabled: true }, sessionId),
    ])
    return { targetId, sessionId, uses: 0 }
  }

  /** Navigates a page to about:blank. Returns false if that fails. */
  async #leave(sessionId: string): Promise<boolean> {
    const left = this.send('Page.navigate', { url: 'about:blank' }, sessionId)
    return withDeadline(LEAVE_MS, left).then(
      ({ errorText }) => errorText === undefined,
      () => false,
    )
  }

  async #create(browserContextId: string): Promise<{ targetId: string; sessionId: string }> {
    const blank = { url: 'about:blank', browserContextId }
    const { targetId } = await this.send('Target.createTarget', blank)
    const sessionId =
      this.#unclaimed.get(targetId) ??
      (await this.send('Target.attachToTarget', { targetId, flatten: true })).sessionId
    this.#unclaimed.delete(targetId)
    for (const popup of this.#unclaimed.keys()) this.#closeTarget(popup)
    this.#unclaimed.clear()
    return { targetId, sessionId }
  }

  #take(event: BrowserEvent): void {
    if (event.method === 'Fetch.requestPaused') this.#frames.route(event.params)
    else if (event.method === 'Target.attachedToTarget') this.#attached(event)
    else if (event.method === 'Target.detachedFromTarget') this.#detached(event.params)
    else if (event.sessionId !== undefined) this.#sessions.get(event.sessionId)?.onEvent(event)
  }

  #attached({
    params,
    sessionId: parent,
  }: BrowserEvent & { method: 'Target.attachedToTarget' }): void {
    const { sessionId, targetInfo } = params
    const { type, targetId } = targetInfo
    const listener = parent === undefined ? undefined : this.#sessions.get(parent)
    if (type === 'page') {
      // A page that another page opened is closed while it is still paused, so that it makes no requests.
      if (targetInfo.openerId === undefined) this.#unclaimed.set(targetId, sessionId)
      else this.#closeTarget(targetId)
    } else if (listener === undefined || (type !== 'iframe' && type !== 'worker')) {
      // Shared workers and service workers outlive their pages.
      this.#closeTarget(targetId)
    } else {
      this.#sessions.set(sessionId, listener)
      if (type === 'iframe') this.addFrame(targetId, listener)
      else this.#workers.add(sessionId)
      const starts = type === 'iframe' ? this.#startPage(sessionId) : this.#startWorker(sessionId)
      for (const start of starts) start.catch(() => {})
    }
  }

  /** Resumes a page or frame that waits for the crawler, after attaching to everything in it. */
  #startPage(sessionId: string): Promise<unknown>[] {
    return [
      this.send('Target.setAutoAttach', ATTACH, sessionId),
      this.send('Page.enable', {}, sessionId),
      this.send('Page.addScriptToEvaluateOnNewDocument', { source: NEW_DOCUMENT }, sessionId),
      this.send('Inspector.enable', undefined, sessionId),
      this.send('Runtime.runIfWaitingForDebugger', undefined, sessionId),
    ]
  }

  #startWorker(sessionId: string): Promise<unknown>[] {
    return [
      this.send('Target.setAutoAttach', ATTACH, sessionId),
      this.send('Runtime.runIfWaitingForDebugger', undefined, sessionId),
    ]
  }

  #detached({ sessionId, targetId }: Protocol.Target.DetachedFromTargetEvent): void {
    const listener = this.#sessions.get(sessionId)
    this.#sessions.delete(sessionId)
    this.#workers.delete(sessionId)
    const isPage = targetId !== undefined && this.#frames.pageOf(targetId) === listener
    if (listener !== undefined && isPage && !this.#hasSession(listener)) {
      listener.onGone('the page was closed')
    }
  }

  #hasSession(listener: PageListener): boolean {
    return [...this.#sessions.values()].includes(listener)
  }

  #forget(listener: PageListener): void {
    for (const [key, each] of this.#sessions) {
      if (each !== listener) continue
      this.#sessions.delete(key)
      this.#workers.delete(key)
    }
    this.#frames.forget(listener)
  }

  #closeTarget(targetId: string): void {
    this.#tell('Target.closeTarget', { targetId })
  }

  /** Sends a command. Ignores its failure, which means that the command's target is gone. */
  #tell<Name extends CommandName>(method: Name, params: ParamsOf<Name>): void {
    this.send(method, params).catch(() => {})
  }
}
