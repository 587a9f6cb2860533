/** Number of locks. */
const STRIPES = 65_536
/** The word of a lock that nobody holds. */
const FREE = 0
/** Number of attempts to take a lock before the thread naps between them. */
const SPINS = 100
const NAP_MS = 1

export const STRIPE_LOCK_BYTES = STRIPES * Int32Array.BYTES_PER_ELEMENT

export function allocateStripeLocks(): SharedArrayBuffer {
  return new SharedArrayBuffer(STRIPE_LOCK_BYTES)
}

/**
 * 65,536 locks in shared memory. A hash chooses the lock, so callers with the same URL share one,
 * and others hardly ever do. A taken lock contains its owner's id, so that a dead thread's locks
 * can be released.
 */
export class StripeLocks {
  readonly #words: Int32Array
  readonly #token: number

  /** @param owner a small integer, unique among the living threads */
  constructor(buffer: SharedArrayBuffer, owner: number) {
    this.#words = new Int32Array(buffer)
    this.#token = tokenOf(owner)
  }

  /**
   * Takes the lock of `hash`; blocks while another thread has it. A lock that the owner already has
   * stays taken, so that another thread can finish a dead one's work in its place.
   */
  lock(hash: number): void {
    const stripe = hash & (STRIPES - 1)
    if (Atomics.compareExchange(this.#words, stripe, FREE, this.#token) !== FREE) {
      this.#lockSlowly(stripe)
    }
  }

  unlock(hash: number): void {
    Atomics.store(this.#words, hash & (STRIPES - 1), FREE)
  }

  /** Runs `work` while holding the lock of `hash`; returns its result. */
  withLock<T>(hash: number, work: () => T): T {
    this.lock(hash)
    try {
      return work()
    } finally {
      this.unlock(hash)
    }
  }

  /** Releases all locks of a dead owner. */
  release(owner: number): void {
    const token = tokenOf(owner)
    for (let stripe = 0; stripe < STRIPES; stripe++) {
      Atomics.compareExchange(this.#words, stripe, token, FREE)
    }
  }

  /**
   * Waits for a taken lock. The holder keeps it for less than a microsecond, unless another thread
   * runs on its core. There are more threads than cores, so after some spinning this thread naps
   * and leaves its own core to the holder. The nap has a time limit because `unlock` notifies
   * nobody: that would slow down every unlock, and a contended lock is rare.
   */
  #lockSlowly(stripe: number): void {
    for (let attempt = 1; ; attempt++) {
      const holder = Atomics.compareExchange(this.#words, stripe, FREE, this.#token)
      if (holder === FREE || holder === this.#token) return
      if (attempt > SPINS) Atomics.wait(this.#words, stripe, holder, NAP_MS)
    }
  }
}

/** Owner 0 is the main thread, 0 in a lock means free. */
function tokenOf(owner: number): number {
  return owner + 1
}
