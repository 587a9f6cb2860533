const lanes = 64
/** Words from one lane to the next: a cache line, so that counting threads do not disturb others. */
const stride = 16
const slot = { added: 0, bitsSet: 1 } as const

export function allocateTallies(): SharedArrayBuffer {
  return new SharedArrayBuffer(lanes * stride * Int32Array.BYTES_PER_ELEMENT)
}

/** What was added to a seen set, counted per owner and summed only when somebody asks. */
export class Tallies {
  readonly #words: Int32Array
  readonly #lane: number

  constructor(buffer: SharedArrayBuffer, owner: number) {
    this.#words = new Int32Array(buffer)
    // Owners above the lanes share one, which costs speed and no accuracy.
    this.#lane = (owner % lanes) * stride
  }

  count(bitsSet: number): void {
    Atomics.add(this.#words, this.#lane + slot.added, 1)
    Atomics.add(this.#words, this.#lane + slot.bitsSet, bitsSet)
  }

  get added(): number {
    return this.#sum(slot.added)
  }

  get bitsSet(): number {
    return this.#sum(slot.bitsSet)
  }

  #sum(counter: number): number {
    let sum = 0
    for (let lane = 0; lane < lanes; lane++) {
      sum += Atomics.load(this.#words, lane * stride + counter) >>> 0
    }
    return sum
  }
}
