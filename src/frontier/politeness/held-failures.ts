/** A failure that is held. */
interface Held {
  /** When it was, in milliseconds of the monotonic clock. */
  readonly at: number
  /** Whether a request has to tell whose it is, where nothing else does. */
  readonly needsProbe: boolean
}

/** Failures for good of which it is not known yet whether they are their URLs', or their host's. */
export class HeldFailures {
  /** By the id of the URL. */
  readonly #held = new Map<number, Held>()
  #isReleased = false

  get size(): number {
    return this.#held.size
  }

  get needsProbe(): boolean {
    return [...this.#held.values()].some(({ needsProbe }) => needsProbe)
  }

  /** Whether nobody waits for a verdict on them any more. */
  get isReleased(): boolean {
    return this.#isReleased
  }

  /** Their host is another process's: they are to be taken at once, and nothing is asked for it. */
  release(): void {
    this.#isReleased = this.#held.size > 0
  }

  put(id: number, held: Held): void {
    this.#held.set(id, held)
  }

  /** Takes those that were before that time. */
  takeBefore(time: number): number[] {
    if (this.#held.size === 0) return []
    const ids = [...this.#held].filter(([, { at }]) => at < time).map(([id]) => id)
    for (const id of ids) this.#held.delete(id)
    return ids
  }

  /** Takes all of them. */
  take(): number[] {
    this.#isReleased = false
    return this.takeBefore(Number.POSITIVE_INFINITY)
  }
}
