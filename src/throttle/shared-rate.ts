/** Memory of a rate, shared by all threads of a process. */
export interface RateMemory {
  /** Permits per second. */
  readonly perSecond: number
  /** True if several processes share the rate. Then each permit is reserved for one process, in turn. */
  readonly isShared: boolean
  readonly words: SharedArrayBuffer
  readonly times: SharedArrayBuffer
}

/** Milliseconds of the window that bounds bursts. At most a tenth of a second's permits, plus one, fall into it. */
const WINDOW_MS = 100
/** Maximum milliseconds by which a permit may be taken too late. Older permits are lost. */
const MAX_LAG_MS = 100
/**
 * The maximum lag if several processes share the rate: a fraction of the interval between two permits, but at least
 * `MIN_SHARED_LAG_MS`. A process doesn't see the permits of others. A permit taken later could coincide with too many
 * of theirs.
 */
const MAX_SHARED_LAG = 0.7
const MIN_SHARED_LAG_MS = 7
/** Milliseconds between two checks for reserved permits while there are none. */
const CHECK_MS = 5
/** Maximum number of reserved permits in memory. */
const MAX_RESERVED = 4_096
/** Threads whose waiting requests are counted in addition to workers: those that fetch a single URL. */
const SPARE_THREADS = 8

/** Indexes into the words of 32 bits. */
const LOCK = 0
const TAKEN = 1
const RECENT = 2
/** The reserved permits are those from index `FIRST` up to, but not including, index `LAST`. */
const FIRST = 3
const LAST = 4
const LOST = 5
const THREADS = 6

/** Indexes into the times, which are in milliseconds. */
const NEXT = 0
const RESERVED = 1
const HISTORY = RESERVED + MAX_RESERVED

/**
 * Permits at a rate, for requests or bytes. All workers take them without sending a message. Permits are due at even
 * intervals. A thread that was busy may take overdue permits, but never in a burst: within 100 ms, at most a tenth of
 * the permits of a second, plus one, are taken. Unused permits are not saved up.
 */
export class SharedRate {
  readonly memory: RateMemory
  readonly #interval: number
  readonly #maxLag: number
  readonly #words: Int32Array
  readonly #times: Float64Array
  readonly #owner: number

  /** @param owner number of the thread; 0 only for the main thread, which takes no permits */
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
   * @param workers number of workers that take permits
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

  /** Number of permits taken so far, modulo 2 ** 32. */
  get taken(): number {
    return Atomics.load(this.#words, TAKEN)
  }

  /** Number of permits that all threads together wait for. */
  get waiting(): number {
    let sum = 0
    for (let at = THREADS; at < this.#words.length; at += 2)
      sum += Atomics.load(this.#words, at + 1)
    return sum
  }

  /** Number of reserved permits that were not taken in time so far, modulo 2 ** 32. */
  get lost(): number {
    return Atomics.load(this.#words, LOST)
  }

  /** Number of reserved permits that are available. */
  get reserved(): number {
    return distance(Atomics.load(this.#words, FIRST), Atomics.load(this.#words, LAST))
  }

  /**
   * Takes a permit, if one is due.
   * @param now milliseconds of `monotonicTime`
   * @param since time at which the caller began to wait
   * @returns undefined if a permit was taken, otherwise the time at which to try again
   */
  take(now: number, since: number): number | undefined {
    if (Atomics.compareExchange(this.#words, LOCK, 0, this.#owner) !== 0) return now + 1
    try {
      const due = Math.max(this.#nextPermit(now), this.#endOfWindow())
      if (due > now) return due
      this.#recordTaken(now, since)
      return undefined
    } finally {
      Atomics.store(this.#words, LOCK, 0)
    }
  }

  /**
   * Adds permits that were reserved for this process. Only one thread may call this.
   * @param from time of the first permit
   * @param perSecond number of these permits per second, which determines their interval
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

  /** Sets the number of permits that this thread waits for. */
  setWaiting(count: number): void {
    if (count === 0) {
      this.#freeEntry(this.#owner)
      return
    }
    const entry = this.#entryOf(this.#owner) ?? this.#newEntry()
    if (entry !== undefined) Atomics.store(this.#words, entry + 1, count)
  }

  /** Frees the lock and the entry of a dead thread. */
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

  /** Returns the time at which the next permit is due. Drops reserved permits that are too late. */
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
    return now + CHECK_MS
  }

  /** Returns the earliest time at which the window allows another permit. */
  #endOfWindow(): number {
    const oldest = this.#times[HISTORY + (this.#words[RECENT] ?? 0)] ?? 0
    // The window is a little longer, since requests take unequal times to arrive, but never so long that it would slow
    // down permits at even intervals.
    const recent = this.#times.length - HISTORY
    return oldest + Math.min(WINDOW_MS + this.#interval / 8, recent * this.#interval)
  }

  #recordTaken(now: number, since: number): void {
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
