import type { BrowserEvent, Protocol } from './protocol.ts'

export type PausedRequest = Protocol.Fetch.RequestPausedEvent

/** Events of a page, its frames and its workers. */
export interface PageListener {
  onEvent(event: BrowserEvent): void
  /** Called when a request waits for a response. */
  onPaused(request: PausedRequest): void
  /** Called when the page can't be used any more. */
  onGone(reason: string): void
}

/** Maximum milliseconds between the first request of a new frame and the event about that frame. */
const FRAME_GRACE_MS = 1_000

/** Passes each paused request to the page whose frame makes it. */
export class FrameRequests {
  readonly #refuse: (requestId: string) => void
  readonly #frames = new Map<string, PageListener>()
  /** Requests of frames that aren't known yet. */
  readonly #orphans = new Set<PausedRequest>()

  /** @param refuse refuses a request that belongs to no page */
  constructor(refuse: (requestId: string) => void) {
    this.#refuse = refuse
  }

  /** Records that a frame belongs to a page. */
  add(frameId: string, listener: PageListener): void {
    this.#frames.set(frameId, listener)
    for (const request of this.#orphans) {
      if (request.frameId === frameId && this.#orphans.delete(request)) listener.onPaused(request)
    }
  }

  remove(frameId: string): void {
    this.#frames.delete(frameId)
  }

  /** Returns the page of a frame. */
  pageOf(frameId: string): PageListener | undefined {
    return this.#frames.get(frameId)
  }

  /** Forgets all frames of a page. */
  forget(page: PageListener): void {
    for (const [id, each] of this.#frames) if (each === page) this.#frames.delete(id)
  }

  route(request: PausedRequest): void {
    const page = this.#frames.get(request.frameId)
    if (page !== undefined) {
      page.onPaused(request)
      return
    }
    // The event about a frame may come after the frame's first request.
    this.#orphans.add(request)
    setTimeout(() => {
      if (this.#orphans.delete(request)) this.#refuse(request.requestId)
    }, FRAME_GRACE_MS).unref()
  }
}
