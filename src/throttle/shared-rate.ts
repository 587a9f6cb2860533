/** Memory of a rate, for all threads of a process. */
export interface RateMemory {
  /** Permits per second. */
  readonly perSecond: number
  /** True if each permit is reserved for this process, in turn with other processes. */
  readonly isShared: boolean
  readonly words: SharedArrayBuffer
  readonly times: SharedArrayBuffer
}

/** No more than a tenth of a second's worth of permits, and one, are given out within this time. */
const WINDOW_MS = 100
/** A permit that could not be taken in time can be made up for so long. */
const MAX_LAG_MS = 100
/**
 * The same for permits of several processes, as a share of the time between two of them, and at least. No process sees
 * the permits of others: one that is later than that time may come with too many of theirs.
 */
const MAX_SHARED_LAG = 0.7
const MIN_SHARED_LAG_MS = 7
/** Milliseconds between two looks for reserved permits while there are none. */
const LOOK_MS = 5
/** Reserved permits in memory at most. */
const MAX_RESERVED = 4_096
/** Threads whose waiting requests are counted: workers, and those with a single URL. */
const SPARE_THREADS = 8

/** Words of 32 bits. */
const LOCK = 0
const TAKEN = 1
const RECENT = 2
/** Reserved permits are from `FIRST` up to, but not including, `LAST`. */
const FIRST = 3
const LAST = 4
const LOST = 5
const THREADS = 6

/** Times in milliseconds. */
const NEXT = 0
const RESERVED = 1
const HISTORY = RESERVED + MAX_RESERVED

/**
 * Permits at a rate, for requests or bytes, that all workers take from without a message. They come at even intervals,
 * and a thread that was busy makes up for it, but never in a burst: no 100 ms see more than a tenth of the permits of
 * a second, and one. Unused permits are not saved up.
 */
export class SharedRate {
  readonly memory: RateMemory
  readonly #interval: number
  readonly #maxLag: number
  readonly #words: Int32Array
  readonly #times: Float64Array
  readonly #owner: number

  /** @param owner number of the thread, never 0, but for the main thread, which takes no permits */
  constructor(memory: RateMemory, owner: number) {
    this.memory = memory
    this.#interval = 1_000 / memory.perSecond
    const maxShared = Math.max(MAX_SHARED_LAG * this.#interval, MIN_SHARED_LAG_MS)
    this.#maxLag = memory.isShared ? Math.min(maxShared, MAX_LAG_MS) : MAX_LAG_MS
    this.#words = new Int32Array(memory.words)
    this.#times = new Float64Array(memory.times)
    this.#owner = owner
  }

  /**
   * @param workers that take permits
   * @param isShared true if `reserve` supplies the permits
   */
  static allocate(perSecond: number, workers: number, isShared: boolean): RateMemory {
    const threads = workers + SPARE_THREADS
    const words = new SharedArrayBuffer((THREADS + 2 * threads) * Int32Array.BYTES_PER_ELEMENT)
    const recent = Math.floor((perSecond * WINDOW_MS) / 1_000) + 1
    const times = new Float64Array(
      new SharedArrayBuffer((HISTORY + recent) * Float64Array.BYTES_PER_ELEMENT),
    ).fill(Number.NEGATIVE_INFINITY)
    return { perSecond, isShared, words, times: times.buffer }
  }

  /** Permits taken so far, modulo 2 ** 32. */
  get taken(): number {
    return Atomics.load(this.#words, TAKEN)
  }

  /** Permits that all threads wait for. */
  get waiting(): number {
    let sum = 0
    for (let at = THREADS; at < this.#words.length; at += 2)
      sum += Atomics.load(this.#words, at + 1)
    return sum
  }

  /** Reserved permits that nobody took in time, so far, modulo 2 ** 32. */
  get lost(): number {
    return Atomics.load(this.#words, LOST)
  }

  /** Reserved permits that nobody has taken. */
  get reserved(): number {
    return distance(Atomics.load(this.#words, FIRST), Atomics.load(this.#words, LAST))
  }

  /**
   * Takes a permit, if one is due.
   * @param now milliseconds of `monotonicTime`
   * @param since when the permit was first wanted
   * @returns undefined, or the time at which to try again
   */
  take(now: number, since: number): number | undefined {
    if (Atomics.compareExchange(this.#words, LOCK, 0, this.#owner) !== 0) return now + 1
    try {
      const due = Math.max(this.#nextPermit(now), this.#endOfWindow())
      if (due > now) return due
      this.#note(now, since)
      return undefined
    } finally {
      Atomics.store(this.#words, LOCK, 0)
    }
  }

  /**
   * Adds permits that were reserved for this process, from a time on. To be called by one thread only.
   * @param perSecond how close they are
   */
  reserve(from: number, count: number, perSecond = this.memory.perSecond): void {
    const interval = 1_000 / perSecond
    const last = Atomics.load(this.#words, LAST)
    const room = MAX_RESERVED - 1 - this.reserved
    const added = Math.min(count, room)
    for (let n = 0; n < added; n++) {
      this.#times[RESERVED + ((last + n) % MAX_RESERVED)] = from + n * interval
    }
    Atomics.store(this.#words, LAST, (last + added) % MAX_RESERVED)
  }

  /** Notes how many permits this thread waits for. */
  setWaiting(count: number): void {
    if (count === 0) {
      this.#freeEntry(this.#owner)
      return
    }
    const entry = this.#entryOf(this.#owner) ?? this.#newEntry()
    if (entry !== undefined) Atomics.store(this.#words, entry + 1, count)
  }

  /** Frees what a dead thread held. */
  release(owner: number): void {
    Atomics.compareExchange(this.#words, LOCK, owner, 0)
    this.#freeEntry(owner)
  }

  #freeEntry(owner: number): void {
    const entry = this.#entryOf(owner)
    if (entry === undefined) return
    Atomics.store(this.#words, entry + 1, 0)
    Atomics.store(this.#words, entry, 0)
  }

  /** Returns when the next permit is due. */
  #nextPermit(now: number): number {
    if (!this.memory.isShared) return this.#times[NEXT] ?? 0
    const last = Atomics.load(this.#words, LAST)
    for (let first = Atomics.load(this.#words, FIRST); first !== last; first = after(first)) {
      Atomics.store(this.#words, FIRST, first)
      const at = this.#times[RESERVED + first] ?? 0
      if (at > now - this.#maxLag) return at
      Atomics.add(this.#words, LOST, 1)
    }
    Atomics.store(this.#words, FIRST, last)
    return now + LOOK_MS
  }

  /** Returns when the window ends in which all permits of its length were taken. */
  #endOfWindow(): number {
    const oldest = this.#times[HISTORY + (this.#words[RECENT] ?? 0)] ?? 0
    // A little longer, since requests are on their way for unequal times.
    return oldest + WINDOW_MS + this.#interval / 8
  }

  #note(now: number, since: number): void {
    if (this.memory.isShared) {
      Atomics.store(this.#words, FIRST, after(Atomics.load(this.#words, FIRST)))
    } else {
      const next = this.#times[NEXT] ?? 0
      this.#times[NEXT] = Math.max(next, since, now - this.#maxLag) + this.#interval
    }
    const recent = this.#words[RECENT] ?? 0
    this.#times[HISTORY + recent] = now
    this.#words[RECENT] = (recent + 1) % (this.#times.length - HISTORY)
    Atomics.add(this.#words, TAKEN, 1)
  }

  #entryOf(owner: number): number | undefined {
    for (let at = THREADS; at < this.#words.length; at += 2) {
      if (Atomics.load(this.#words, at) === owner) return at
    }
    return undefined
  }

  #newEntry(): number | undefined {
    for (let at = THREADS; at < this.#words.length; at += 2) {
      if (Atomics.compareExchange(this.#words, at, 0, this.#owner) === 0) return at
    }
    return undefined
  }
}

function after(place: number): number {
  return (place + 1) % MAX_RESERVED
}

function distance(first: number, last: number): number {
  return (last - first + MAX_RESERVED) % MAX_RESERVED
}
