import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../errors.ts'
import type { Screenshot } from '../../records/visit-attachments.ts'
import { hostKey } from '../../url/host-key.ts'
import type { Browser, PageTarget } from '../browser/browser.ts'
import type { PageListener, PausedRequest } from '../browser/frame-requests.ts'
import { ProtocolError } from '../browser/pipe-connection.ts'
import type { BrowserEvent } from '../browser/protocol.ts'
import { withDeadline } from '../browser/with-deadline.ts'
import type { RenderOptions } from '../render-options.ts'
import {
  type FetchedPage,
  type LoadResource,
  type RenderedLink,
  type RenderedPage,
  RenderFailure,
} from '../rendered-page.ts'
import { FrameTree } from './frame-tree.ts'
import { Harvester } from './harvester.ts'
import { Interaction } from './interaction.ts'
import { PageRequests } from './page-requests.ts'
import { quietScript } from './page-scripts.ts'
import { RenderClock } from './render-clock.ts'
import { forbidsScripts } from './response-headers.ts'

/** Milliseconds without a request and without a long task after which a page is done. */
const QUIET_MS = 500
/** Milliseconds between two checks of the network. */
const CHECK_MS = 50
/** Maximum milliseconds until the document has arrived in the browser, which may have to start a process for it. */
const ARRIVAL_MS = 30_000
/** Maximum milliseconds until a page is in front of the others. */
const FRONT_MS = 5_000
/** Number of dialogs after which a page gets no further time. */
const MAX_DIALOGS = 10
/** Factor by which the time of a page is longer if buttons are clicked on it. */
const INTERACTION = 3
/** Maximum number of URLs that are kept of a page's navigations. */
const MAX_NAVIGATIONS = 1_000

/** The tree of a page, the links outside the tree, and its screenshot. */
interface HarvestedPage {
  readonly html: string
  readonly links: readonly RenderedLink[]
  readonly screenshot: Screenshot | undefined
}

/** Shows one page in a browser until it is quiet, and collects its links. */
export class PageRender implements PageListener {
  readonly #browser: Browser
  readonly #page: FetchedPage
  readonly #options: RenderOptions
  readonly #requests: PageRequests
  readonly #frames: FrameTree
  readonly #harvester: Harvester
  readonly #clock: RenderClock
  readonly #loaded = Promise.withResolvers<void>()
  readonly #failed = Promise.withResolvers<never>()
  /** URLs that scripts navigated to, or opened in windows. */
  readonly #navigations = new Set<string>()
  #target: PageTarget | undefined
  #dialogs = 0

  constructor(browser: Browser, page: FetchedPage, load: LoadResource, options: RenderOptions) {
    this.#browser = browser
    this.#page = page
    this.#options = options
    this.#frames = new FrameTree(browser, this, page.url)
    this.#harvester = new Harvester(this.#frames, options)
    this.#requests = new PageRequests(browser, page, load, {
      frames: this.#frames,
      loadsImages: options.loadsImages,
      onNavigation: (url) => this.#navigated(url),
      onRefused: options.onRefused ?? (() => {}),
    })
    this.#clock = new RenderClock(
      options.interact ? INTERACTION * options.timeout : options.timeout,
      this.#requests.activity,
    )
    this.#failed.promise.catch(() => {})
  }

  /**
   * Renders the page, and closes it. The pages of a host share cookies and storage.
   * @throws RenderFailure
   */
  async run(): Promise<RenderedPage> {
    const started = performance.now()
    let isSound = false
    try {
      this.#target = await this.#browser.openPage(hostKey(this.#page.url), this)
      await Promise.race([this.#show(this.#target), this.#failed.promise])
      const { html, links, screenshot } = this.#options.interact
        ? await this.#interact(this.#target)
        : await this.#harvest(this.#target)
      isSound = !this.#clock.isOver && !(screenshot !== undefined && 'missing' in screenshot)
      const ms = Math.round(performance.now() - started)
      return { html: Buffer.from(html), links, ms, ...(screenshot && { screenshot }) }
    } catch (error) {
      if (error instanceof RenderFailure) throw error
      throw new RenderFailure(messageOf(error), error instanceof ProtocolError && error.isFinal)
    } finally {
      this.#clock.end()
      this.#target?.release(isSound)
    }
  }

  onEvent(event: BrowserEvent): void {
    switch (event.method) {
      case 'Page.frameStoppedLoading':
        // This event occurs even if the page navigated before it was loaded. Then there is no `load` event.
        if (event.params.frameId === this.#frames.main) this.#loaded.resolve()
        break
      case 'Page.navigatedWithinDocument':
        if (this.#isMain(event.params.frameId)) this.#navigated(event.params.url)
        break
      case 'Page.windowOpen':
        this.#navigated(event.params.url)
        break
      case 'Page.javascriptDialogOpening':
        this.#dismiss(event.sessionId, event.params.type === 'beforeunload')
        break
      case 'Inspector.targetCrashed':
        this.#crashed(event.sessionId)
        break
      default:
        this.#frames.update(event)
    }
  }

  onPaused(request: PausedRequest): void {
    this.#requests.answer(request, this.#isMain(request.frameId))
  }

  onGone(reason: string): void {
    this.#failed.reject(new RenderFailure(reason, true))
  }

  /** Resolves when the page is quiet, or its time is over. */
  async #show({ sessionId, targetId }: PageTarget): Promise<void> {
    // Resolves when the document has arrived. A busy machine may delay that, for which the page isn't to blame.
    const arrived = this.#browser.send('Page.navigate', { url: this.#page.url }, sessionId)
    await withDeadline(ARRIVAL_MS, arrived)
    this.#clock.start()
    await Promise.race([this.#loaded.promise.then(() => this.#quiet(targetId)), this.#clock.over])
    if (this.#clock.isOver) this.#terminate()
  }

  /** Terminates the running script: while a script runs, the page can't be queried. */
  #terminate(): void {
    const sessionId = this.#target?.sessionId
    this.#browser.send('Runtime.terminateExecution', undefined, sessionId).catch(() => {})
  }

  /** Stops the scripts of a page for good. They can't start again, and slow down a page that shares their process. */
  #stopScripts(sessionId: string): void {
    this.#clock.end()
    this.#terminate()
    const disabled = { value: true }
    this.#browser.send('Emulation.setScriptExecutionDisabled', disabled, sessionId).catch(() => {})
  }

  async #quiet(targetId: string): Promise<void> {
    const { activity } = this.#requests
    const script = forbidsScripts(this.#page.headers) ? 'true' : quietScript(QUIET_MS)
    for (let requests = -1; requests < activity.total && !this.#clock.isOver; ) {
      requests = activity.total
      await Promise.all([this.#networkQuiet(), this.#frames.evaluate(targetId, script)])
      // A worker that has yet to start or to compute may make requests of its own.
      if ((await this.#browser.settleWorkers(this)) > 0) await sleep(CHECK_MS)
    }
  }

  async #networkQuiet(): Promise<void> {
    const { activity } = this.#requests
    while (activity.quiet < QUIET_MS && !this.#clock.isOver) {
      await sleep(CHECK_MS)
    }
  }

  /** Returns the tree of the page after scrolling, and the links that scrolling and clicks revealed. */
  async #interact(target: PageTarget): Promise<HarvestedPage> {
    const { targetId, sessionId } = target
    const clock = this.#clock
    const interaction = new Interaction({
      get isOver() {
        return clock.isOver
      },
      evaluate: (script) => this.#frames.evaluate(targetId, script),
      bringToFront: () =>
        clock.stopDuring(this.#browser.inFront(sessionId, FRONT_MS, async () => {})),
      quiet: () => this.#quiet(targetId),
    })
    await this.#inTime(interaction.scroll())
    const page = await this.#harvest(target)
    await this.#inTime(interaction.click())
    const frames = await this.#harvester.frameLinks(targetId)
    return {
      ...page,
      links: [...page.links, ...interaction.links, ...frames, ...this.#navigationLinks],
    }
  }

  /** Waits for steps until the time of the page is over. Steps that haven't finished by then are ignored. */
  async #inTime(steps: Promise<void>): Promise<void> {
    await Promise.race([steps.catch(() => {}), this.#clock.over, this.#failed.promise])
    if (this.#clock.isOver) this.#terminate()
  }

  /** Returns the tree of the page, the links of its frames, the URLs that scripts navigated to, and the screenshot. */
  async #harvest(target: PageTarget): Promise<HarvestedPage> {
    const { targetId } = target
    const harvested = this.#harvester.tree(targetId, this.#page.url)
    const { html, links } = await Promise.race([harvested, this.#failed.promise])
    const inFrames = await this.#harvester.frameLinks(targetId)
    const all = [...links, ...inFrames, ...this.#navigationLinks]
    return { html, links: all, screenshot: await this.#screenshot(target) }
  }

  /** Takes a screenshot of the page, if an output saves screenshots. Without it, the page is still rendered. */
  async #screenshot({ sessionId, targetId }: PageTarget): Promise<Screenshot | undefined> {
    const { takeScreenshot } = this.#options
    if (takeScreenshot === undefined || this.#page.isReread) return undefined
    const taken = takeScreenshot({
      browser: this.#browser,
      sessionId,
      patience: this.#harvester.limit,
      isUsedFurther: this.#options.interact,
      stopScripts: () => this.#stopScripts(sessionId),
      evaluate: (script) => this.#frames.evaluate(targetId, script),
    })
    try {
      return await this.#clock.stopDuring(Promise.race([taken, this.#failed.promise]))
    } catch (error) {
      return { missing: messageOf(error) }
    }
  }

  /** The URLs that scripts navigated to. */
  get #navigationLinks(): RenderedLink[] {
    return [...this.#navigations].map((href) => ({ href }))
  }

  #navigated(url: string): void {
    if (url === this.#page.url || !/^https?:/i.test(url)) return
    if (this.#navigations.size < MAX_NAVIGATIONS) this.#navigations.add(url)
  }

  /** Answers a dialog. @param accept true to let the page be left */
  #dismiss(sessionId: string | undefined, accept: boolean): void {
    const answer = { accept }
    this.#browser.send('Page.handleJavaScriptDialog', answer, sessionId).catch(() => {})
    if (++this.#dialogs !== MAX_DIALOGS) return
    this.#clock.end()
    this.#terminate()
  }

  #isMain(frameId: string): boolean {
    return frameId === this.#target?.targetId
  }

  #crashed(sessionId: string | undefined): void {
    if (sessionId === this.#target?.sessionId) this.onGone('the page crashed')
  }
}
