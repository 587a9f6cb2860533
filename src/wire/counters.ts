/** Slots of one worker; all counters only grow. */
const WORKER_SLOTS = { fetched: 0, failed: 1, setSize: 2 } as const
const SLOTS_PER_WORKER = 16 // a cache line of its own for each worker: no false sharing
const DEEPEST = 0
const FIRST_WORKER = SLOTS_PER_WORKER

export type WorkerCounter = keyof typeof WORKER_SLOTS

/** Counters in shared memory: written by workers and the coordinator, read by the log. */
export class Counters {
  readonly memory: SharedArrayBuffer
  readonly #slots: BigInt64Array

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory
    this.#slots = new BigInt64Array(memory)
  }

  /** @param workers how many, numbered from 1 */
  static allocate(workers: number): Counters {
    return new Counters(new SharedArrayBuffer((1 + workers) * SLOTS_PER_WORKER * 8))
  }

  add(worker: number, counter: WorkerCounter, amount: number): void {
    Atomics.add(this.#slots, slotOf(worker, counter), BigInt(amount))
  }

  read(worker: number, counter: WorkerCounter): number {
    return Number(Atomics.load(this.#slots, slotOf(worker, counter)))
  }

  /** The greatest depth that any URL was handed out with so far. */
  get deepest(): number {
    return Number(Atomics.load(this.#slots, DEEPEST))
  }

  set deepest(depth: number) {
    Atomics.store(this.#slots, DEEPEST, BigInt(depth))
  }
}

function slotOf(worker: number, counter: WorkerCounter): number {
  return FIRST_WORKER + (worker - 1) * SLOTS_PER_WORKER + WORKER_SLOTS[counter]
}
