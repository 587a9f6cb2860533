import { SKIP_REASONS, type SkipReason } from '../records/skip.ts'
import { CANONICAL_RULES, type CanonicalRule } from '../url/canonical-rules.ts'

/** What pages were the first to have accounted for. */
export type SkipCounterName =
  | `skip:${SkipReason}`
  /** URLs that a rule of `--canonicalize` merged with another. */
  | `merge:${CanonicalRule}`

/** What one page adds to the counts. */
export type SkipCounts = Readonly<Partial<Record<SkipCounterName, number>>>

/** What each worker counts. */
export type WorkerCounter =
  | SkipCounterName
  | 'fetched'
  | 'failed'
  /** URLs that it was the first to add to the seen set. */
  | 'setSize'
  /** Links to URLs that were known. */
  | 'duplicate'

const SKIP_COUNTERS: readonly SkipCounterName[] = [
  ...SKIP_REASONS.map((reason) => `skip:${reason}` as const),
  ...CANONICAL_RULES.map((rule) => `merge:${rule}` as const),
]
const WORKER_COUNTERS: readonly WorkerCounter[] = [
  ...(['fetched', 'failed', 'setSize', 'duplicate'] as const),
  ...SKIP_COUNTERS,
]
const SLOTS = new Map(WORKER_COUNTERS.map((counter, slot) => [counter, slot]))
/** Whole cache lines for each worker, so that they don't disturb each other: 8 slots of 8 bytes each. */
const SLOTS_PER_WORKER = Math.ceil(WORKER_COUNTERS.length / 8) * 8
/** The slots before those of worker 1 are the coordinator's. */
const DEEPEST = 0

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
    if (amount !== 0) Atomics.add(this.#slots, slotOf(worker, counter), BigInt(amount))
  }

  /** Adds what a page was the first to have accounted for; whose it is, nobody asks. */
  addSkips(counts: SkipCounts = {}): void {
    for (const counter of SKIP_COUNTERS) this.add(1, counter, counts[counter] ?? 0)
  }

  read(worker: number, counter: WorkerCounter): number {
    return Number(Atomics.load(this.#slots, slotOf(worker, counter)))
  }

  /** What each worker has counted, from worker 1; zeros are left out. */
  saved(workers: number): Record<string, number>[] {
    return Array.from({ length: workers }, (_, index) => {
      const counts = WORKER_COUNTERS.map(
        (counter) => [counter, this.read(index + 1, counter)] as const,
      )
      return Object.fromEntries(counts.filter(([, count]) => count > 0))
    })
  }

  /** Adds what workers counted before; those of workers that are no more go to the first. */
  restore(counts: readonly Readonly<Record<string, number>>[], workers: number): void {
    for (const [index, ofWorker] of counts.entries()) {
      const worker = index < workers ? index + 1 : 1
      for (const counter of WORKER_COUNTERS) this.add(worker, counter, ofWorker[counter] ?? 0)
    }
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
  return worker * SLOTS_PER_WORKER + (SLOTS.get(counter) ?? 0)
}
