interface HeldFailure {
  /** Id of the URL. */
  readonly id: number
  /** When the URL failed, in milliseconds of the monotonic clock. */
  readonly at: number
  /** True when it takes a probe to decide, where nothing else does. */
  readonly needsProbe: boolean
}

/** Final failures of which it is not known yet whether the URL or its host is at fault. */
export class HeldFailures {
  // No map: nearly all hosts hold none, and an empty map takes 200 bytes.
  #held: readonly HeldFailure[] = []
  #isReleased = false

  get size(): number {
    return this.#held.length
  }

  get needsProbe(): boolean {
    return this.#held.some(({ needsProbe }) => needsProbe)
  }

  /** True when they are to be counted at once. */
  get isReleased(): boolean {
    return this.#isReleased
  }

  /** Has them counted at once, without a probe: their host belongs to another process now. */
  release(): void {
    this.#isReleased = this.#held.length > 0
  }

  put(held: HeldFailure): void {
    this.#held = [...this.#held.filter(({ id }) => id !== held.id), held]
  }

  /** Removes and returns the URLs that failed before a time. */
  takeBefore(time: number): number[] {
    if (this.#held.length === 0) return []
    const taken = this.#held.filter(({ at }) => at < time)
    this.#held = this.#held.filter(({ at }) => at >= time)
    return taken.map(({ id }) => id)
  }

  /** Removes and returns all URLs. */
  take(): number[] {
    this.#isReleased = false
    return this.takeBefore(Number.POSITIVE_INFINITY)
  }
}
