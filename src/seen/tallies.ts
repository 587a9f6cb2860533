const slot = { added: 0, lost: 1 } as const
/** Losses are counted in shares of a URL this small. */
const lossUnit = 2 ** -32
/** URLs added between two looks at the false-positive rate. */
const maxLag = 64

export const tallyBytes = 2 * BigInt64Array.BYTES_PER_ELEMENT

export function allocateTallies(): SharedArrayBuffer {
  return new SharedArrayBuffer(tallyBytes)
}

/**
 * What all threads have added to a seen set, and what false positives are expected to have cost. A
 * thread keeps its own count for the length of a batch.
 */
export class Tallies {
  readonly #totals: BigInt64Array
  readonly #rateNow: () => number
  #added = 0
  #lost = 0
  #sinceStart = 0
  #nextLook = 0
  #lossPerUrl = 0

  /** @param rateNow the false-positive rate of the moment */
  constructor(buffer: SharedArrayBuffer, rateNow: () => number) {
    this.#totals = new BigInt64Array(buffer)
    this.#rateNow = rateNow
  }

  /** A URL was added. */
  count(): void {
    if (this.#sinceStart >= this.#nextLook) this.#look()
    this.#sinceStart++
    this.#added++
    this.#lost += this.#lossPerUrl
  }

  /** Makes what was counted visible to all; called after each batch. */
  publish(): void {
    if (this.#added === 0) return
    Atomics.add(this.#totals, slot.added, BigInt(this.#added))
    Atomics.add(this.#totals, slot.lost, BigInt(Math.round(this.#lost / lossUnit)))
    this.#added = 0
    this.#lost = 0
  }

  get added(): number {
    return Number(Atomics.load(this.#totals, slot.added))
  }

  /** URLs that were taken for known ones, as the rate at each insertion lets expect. */
  get expectedLost(): number {
    return Number(Atomics.load(this.#totals, slot.lost)) * lossUnit
  }

  /** At a rate of p, for each new URL that is added there are p / (1 - p) that are not. */
  #look(): void {
    const rate = Math.min(this.#rateNow(), 0.999_999)
    this.#lossPerUrl = rate / (1 - rate)
    this.#nextLook = this.#sinceStart + Math.min(maxLag, 1 + (this.#sinceStart >> 5))
  }
}
