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

  get size(): number {
    return this.#held.size
  }

  get needsProbe(): boolean {
    return [...this.#held.values()].some(({ needsProbe }) => needsProbe)
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
    return this.takeBefore(Number.POSITIVE_INFINITY)
  }
}
