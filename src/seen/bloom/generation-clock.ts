const slot = { generation: 0, turning: 0 } as const
const nobody = 0
const napMs = 1

/** What threads share of it: the lock is not kept in snapshots. */
export interface ClockMemory {
  readonly time: SharedArrayBuffer
  readonly locks: SharedArrayBuffer
}

/** Tells all threads which generation is the current one, and lets one of them begin the next. */
export class GenerationClock {
  readonly #words: Int32Array
  readonly #lock: Int32Array
  /** When the current generation began. */
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
   * @param now milliseconds of a clock that is the same for all threads, and for a crawl that resumes
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
    return Atomics.load(this.#words, slot.generation)
  }

  /**
   * Begins the generations whose time has come, or waits until another thread has. Each is emptied
   * before it becomes the current one; should the thread die over it, the next one empties it again.
   *
   * After a long silence several begin at once, at most `most`, so that what was met before it is as
   * old as it should be.
   */
  turn(most: number, empty: (generation: number) => void): void {
    while (this.#overdue > 0) {
      const holder = Atomics.compareExchange(this.#lock, slot.turning, nobody, this.#token)
      if (holder !== nobody) {
        Atomics.wait(this.#lock, slot.turning, holder, napMs)
        continue
      }
      if (this.#overdue > 0) this.#begin(this.generation + 1, most, empty)
      Atomics.store(this.#lock, slot.turning, nobody)
    }
  }

  /** Lets others turn what the dead thread `owner` was turning. */
  release(owner: number): void {
    Atomics.compareExchange(this.#lock, slot.turning, owner + 1, nobody)
  }

  /** The time moves on first: a thread that dies between makes a generation last longer, not shorter. */
  #begin(next: number, most: number, empty: (generation: number) => void): void {
    empty(next)
    const passed = 1 + Math.max(0, this.#overdue - most)
    this.#start[0] = this.#startedAt + passed * this.#period
    Atomics.store(this.#words, slot.generation, next)
  }

  get #startedAt(): number {
    return this.#start[0] ?? 0
  }

  /** Periods that are over. */
  get #overdue(): number {
    return Math.floor((this.#now() - this.#startedAt) / this.#period)
  }
}
