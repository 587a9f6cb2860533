const stripes = 65_536
const free = 0
const spins = 100
const napMs = 1

export const stripeLockBytes = stripes * Int32Array.BYTES_PER_ELEMENT

export function allocateStripeLocks(): SharedArrayBuffer {
  return new SharedArrayBuffer(stripeLockBytes)
}

/**
 * 64 Ki locks in shared memory, chosen by a hash, so that callers with the same URL meet and others
 * hardly ever do. A taken lock contains its owner's id, so that a dead thread's locks can be
 * released.
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
    const stripe = hash & (stripes - 1)
    if (Atomics.compareExchange(this.#words, stripe, free, this.#token) !== free) {
      this.#lockSlowly(stripe)
    }
  }

  unlock(hash: number): void {
    Atomics.store(this.#words, hash & (stripes - 1), free)
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
    for (let stripe = 0; stripe < stripes; stripe++) {
      Atomics.compareExchange(this.#words, stripe, token, free)
    }
  }

  /**
   * Locks are held for less than a microsecond, unless the holder lost its core: threads outnumber
   * cores, so after some spinning it gets this one. The nap has a time limit because nobody
   * notifies: that would slow down every unlock, and a contended lock is rare.
   */
  #lockSlowly(stripe: number): void {
    for (let attempt = 1; ; attempt++) {
      const holder = Atomics.compareExchange(this.#words, stripe, free, this.#token)
      if (holder === free || holder === this.#token) return
      if (attempt > spins) Atomics.wait(this.#words, stripe, holder, napMs)
    }
  }
}

/** Owner 0 is the main thread, 0 in a lock means free. */
function tokenOf(owner: number): number {
  return owner + 1
}
