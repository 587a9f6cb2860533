const MAX_VALUE = 15

/** Returns the bytes of that many counters. */
export function smallCounterBytes(count: number): number {
  return Math.ceil(count / 8) * Int32Array.BYTES_PER_ELEMENT
}

/**
 * Counters of 4 bits in shared memory, eight to a word. A counter that has reached 15 stays there:
 * its true value is unknown, so it must not come down to 0.
 */
export class SmallCounters {
  readonly #words: Int32Array

  constructor(words: Int32Array) {
    this.#words = words
  }

  /**
   * Returns whether the counter is above 0. It is a plain read, which may miss another thread's
   * latest change.
   */
  isSet(place: number): boolean {
    return (((this.#words[place >>> 3] ?? 0) >>> shiftOf(place)) & MAX_VALUE) !== 0
  }

  /** Adds 1; true when it was 0. */
  raise(place: number): boolean {
    return this.#change(place, 1) === 0
  }

  /** Subtracts 1; true when it was 1. */
  lower(place: number): boolean {
    return this.#change(place, -1) === 1
  }

  /** Returns the value before. */
  #change(place: number, by: 1 | -1): number {
    const index = place >>> 3
    const shift = shiftOf(place)
    for (let word = Atomics.load(this.#words, index); ; ) {
      const value = (word >>> shift) & MAX_VALUE
      if (value === MAX_VALUE || (value === 0 && by === -1)) return value
      const found = Atomics.compareExchange(this.#words, index, word, (word + (by << shift)) | 0)
      if (found === word) return value
      word = found
    }
  }
}

function shiftOf(place: number): number {
  return (place & 7) << 2
}
