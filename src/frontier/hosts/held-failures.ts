interface HeldFailure {
  /** Id of the URL. */
  readonly id: number
  /** When the URL failed, in milliseconds of the monotonic clock. */
  readonly at: number
  /** True if a probe must decide, unless another request to the host does. */
  readonly needsProbe: boolean
}

/** Final failures for which it is not known yet whether the URL or its host is at fault. */
export class HeldFailures {
  // Not a map: nearly all hosts have no held failures, and an empty map takes 200 bytes.
  #held: readonly HeldFailure[] = []
  #isReleased = false

  get size(): number {
    return this.#held.length
  }

  get needsProbe(): boolean {
    return this.#held.some(({ needsProbe }) => needsProbe)
  }

  /** True if the failures must be counted at once. */
  get isReleased(): boolean {
    return this.#isReleased
  }

  /** Lets the failures be counted at once, without a probe: their host is given up, or belongs to another process. */
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
