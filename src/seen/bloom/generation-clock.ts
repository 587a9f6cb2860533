const SLOT = { generation: 0, turning: 0 } as const
const NO_OWNER = 0
const NAP_MS = 1

/** Memory that all threads share; snapshots leave out the lock. */
export interface ClockMemory {
  readonly time: SharedArrayBuffer
  readonly locks: SharedArrayBuffer
}

/** Counts generations for all threads, and lets one thread begin the next generation. */
export class GenerationClock {
  readonly #words: Int32Array
  readonly #lock: Int32Array
  /** Start time of the current generation. */
  readonly #start: Float64Array
  readonly #token: number
  readonly #period: number
  readonly #now: () => number

  static allocate(now: number): ClockMemory {
    const time = new SharedArrayBuffer(16)
    new Float64Array(time, 8)[0] = now
    return { time, locks: new SharedArrayBuffer(4) }
  }

  /**
   * @param period milliseconds for which a generation is the current one
   * @param now milliseconds of a clock that is the same for all threads, and for a resumed crawl
   */
  constructor({ time, locks }: ClockMemory, owner: number, period: number, now: () => number) {
    this.#words = new Int32Array(time, 0, 1)
    this.#lock = new Int32Array(locks)
    this.#start = new Float64Array(time, 8)
    this.#token = owner + 1
    this.#period = period
    this.#now = now
  }

  /** Number of the current generation, from 0. */
  get generation(): number {
    return Atomics.load(this.#words, SLOT.generation)
  }

  /**
   * Begins the generations that are due, or waits until another thread has. Each is cleared before
   * it becomes the current one. If the thread dies meanwhile, the next one clears it again.
   *
   * After a long pause, several begin at once, at most `maxTurns`, so that URLs from before the
   * pause get their true age.
   */
  turn(maxTurns: number, empty: (generation: number) => void): void {
    while (this.#overdue > 0) {
      const holder = Atomics.compareExchange(this.#lock, SLOT.turning, NO_OWNER, this.#token)
      if (holder !== NO_OWNER) {
        Atomics.wait(this.#lock, SLOT.turning, holder, NAP_MS)
        continue
      }
      if (this.#overdue > 0) this.#begin(this.generation + 1, maxTurns, empty)
      Atomics.store(this.#lock, SLOT.turning, NO_OWNER)
    }
  }

  /** Releases the lock of the dead thread `owner`. */
  release(owner: number): void {
    Atomics.compareExchange(this.#lock, SLOT.turning, owner + 1, NO_OWNER)
  }

  /**
   * Begins a generation. The start time moves first: if the thread dies in between, a generation
   * lasts longer, not shorter.
   */
  #begin(next: number, maxTurns: number, empty: (generation: number) => void): void {
    empty(next)
    const passed = 1 + Math.max(0, this.#overdue - maxTurns)
    this.#start[0] = this.#startedAt + passed * this.#period
    Atomics.store(this.#words, SLOT.generation, next)
  }

  get #startedAt(): number {
    return this.#start[0] ?? 0
  }

  /** Number of periods that have passed since the current generation began. */
  get #overdue(): number {
    return Math.floor((this.#now() - this.#startedAt) / this.#period)
  }
}
