const SLOT = { added: 0, lost: 1 } as const
/** Unit in which losses are counted, as a fraction of a URL. */
const LOSS_UNIT = 2 ** -32
/** Maximum number of URLs added between two readings of the false-positive rate. */
const MAX_URLS_PER_READING = 64

export const ADDED_COUNTER_BYTES = 2 * BigInt64Array.BYTES_PER_ELEMENT

export function allocateAddedCounter(): SharedArrayBuffer {
  return new SharedArrayBuffer(ADDED_COUNTER_BYTES)
}

/**
 * Counts the URLs that all threads have added to a seen set, and the expected losses to false
 * positives. A thread keeps its own count during a batch.
 */
export class AddedCounter {
  readonly #totals: BigInt64Array
  readonly #rateOf: (added: number) => number
  #added = 0
  #lost = 0
  #sinceStart = 0
  #nextLook = 0
  #lossPerUrl = 0

  /** @param rateOf returns the current false-positive rate from the number of added URLs */
  constructor(buffer: SharedArrayBuffer, rateOf: (added: number) => number) {
    this.#totals = new BigInt64Array(buffer)
    this.#rateOf = rateOf
  }

  /** Counts an added URL. */
  count(): void {
    if (this.#sinceStart >= this.#nextLook) this.#readRate()
    this.#sinceStart++
    this.#added++
    this.#lost += this.#lossPerUrl
  }

  /** Publishes this thread's count; called after each batch. */
  publish(): void {
    if (this.#added === 0) return
    Atomics.add(this.#totals, SLOT.added, BigInt(this.#added))
    Atomics.add(this.#totals, SLOT.lost, BigInt(Math.round(this.#lost / LOSS_UNIT)))
    this.#added = 0
    this.#lost = 0
  }

  get added(): number {
    return Number(Atomics.load(this.#totals, SLOT.added))
  }

  /** The current false-positive rate. */
  get rate(): number {
    return this.#rateOf(this.added)
  }

  /** Expected number of new URLs taken for known ones, from the rate at each insertion. */
  get expectedLost(): number {
    return Number(Atomics.load(this.#totals, SLOT.lost)) * LOSS_UNIT
  }

  /** Reads the rate. At a rate of p, p / (1 - p) new URLs are lost for each one that is added. */
  #readRate(): void {
    const rate = Math.min(this.rate, 0.999_999)
    this.#lossPerUrl = rate / (1 - rate)
    this.#nextLook = this.#sinceStart + Math.min(MAX_URLS_PER_READING, 1 + (this.#sinceStart >> 5))
  }
}
