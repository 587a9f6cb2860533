interface HeldFailure {
  /** When the URL failed, in milliseconds of the monotonic clock. */
  readonly at: number
  /** True when it takes a probe to decide, where nothing else does. */
  readonly needsProbe: boolean
}

/** Final failures of which it is not known yet whether the URL or its host is at fault. */
export class HeldFailures {
  /** By the id of the URL. */
  readonly #held = new Map<number, HeldFailure>()
  #isReleased = false

  get size(): number {
    return this.#held.size
  }

  get needsProbe(): boolean {
    return [...this.#held.values()].some(({ needsProbe }) => needsProbe)
  }

  /** True when they are to be counted at once. */
  get isReleased(): boolean {
    return this.#isReleased
  }

  /** Has them counted at once, without a probe: their host belongs to another process now. */
  release(): void {
    this.#isReleased = this.#held.size > 0
  }

  put(id: number, held: HeldFailure): void {
    this.#held.set(id, held)
  }

  /** Removes and returns the URLs that failed before a time. */
  takeBefore(time: number): number[] {
    if (this.#held.size === 0) return []
    const ids = [...this.#held].filter(([, { at }]) => at < time).map(([id]) => id)
    for (const id of ids) this.#held.delete(id)
    return ids
  }

  /** Removes and returns all URLs. */
  take(): number[] {
    this.#isReleased = false
    return this.takeBefore(Number.POSITIVE_INFINITY)
  }
}
