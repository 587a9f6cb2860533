import type { Activity } from './activity.ts'

const TICK_MS = 50
/** Factor of the limit that a page may take including the time in which its requests wait for the crawler. */
const MAX_WAIT = 6

/** Measures the time of a page. The clock stops, up to a bound, while the crawler fetches resources for the page, or while the page waits for its screenshot. */
export class RenderClock {
  readonly #limit: number
  readonly #activity: Activity
  readonly #over = Promise.withResolvers<void>()
  #timer: NodeJS.Timeout | undefined
  #own = 0
  #stops = 0
  #isOver = false

  constructor(limit: number, activity: Activity) {
    this.#limit = limit
    this.#activity = activity
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Resolves when the time is over. */
  get over(): Promise<void> {
    return this.#over.promise
  }

  start(): void {
    const started = performance.now()
    let last = started
    this.#timer = setInterval(() => {
      const now = performance.now()
      if (this.#activity.inFlight === 0 && this.#stops === 0) this.#own += now - last
      last = now
      if (this.#own >= this.#limit || now - started >= MAX_WAIT * this.#limit) this.end()
    }, TICK_MS)
  }

  /** Stops the clock until a promise settles. */
  async stopDuring<T>(promise: Promise<T>): Promise<T> {
    this.#stops++
    try {
      return await promise
    } finally {
      this.#stops--
    }
  }

  /** Ends the time of the page immediately, and all that waits for the page to be quiet. */
  end(): void {
    this.#isOver = true
    clearInterval(this.#timer)
    this.#over.resolve()
  }
}
