import { SKIP_REASONS, type SkipReason } from '../records/skip.ts'
import { REWRITE_RULES, type RewriteRule } from '../url/canonical-rules.ts'

/** Counters of skipped and merged URLs. */
export type SkipCounterName =
  | `skip:${SkipReason}`
  /** URLs that a rule of `--canonicalize`, or `--strip-query`, merged with another. */
  | `merge:${RewriteRule}`

/** The amounts that one page adds to the counters of skipped and merged URLs. */
export type SkipCounts = Readonly<Partial<Record<SkipCounterName, number>>>

export type WorkerCounter =
  | SkipCounterName
  | 'fetched'
  | 'failed'
  /** URLs that the worker added to the seen set. */
  | 'setSize'
  /** Links to known URLs. */
  | 'duplicate'
  /** Bodies that were needed in full, but are longer than `--max-body`. */
  | 'cut'

const SKIP_COUNTERS: readonly SkipCounterName[] = [
  ...SKIP_REASONS.map((reason) => `skip:${reason}` as const),
  ...REWRITE_RULES.map((rule) => `merge:${rule}` as const),
]
const WORKER_COUNTERS: readonly WorkerCounter[] = [
  ...(['fetched', 'failed', 'setSize', 'duplicate', 'cut'] as const),
  ...SKIP_COUNTERS,
]
const SLOTS = new Map(WORKER_COUNTERS.map((counter, slot) => [counter, slot]))
/** Rounded up to whole cache lines of 64 bytes (8 slots of 8 bytes), so that no two workers share one. */
const SLOTS_PER_WORKER = Math.ceil(WORKER_COUNTERS.length / 8) * 8
// Slots of the coordinator, which come before those of worker 1.
const DEEPEST = 0
const SEEN_GENERATION = 1

/** Counters in shared memory: written by workers and the coordinator, read by the log. */
export class Counters {
  readonly memory: SharedArrayBuffer
  /** The numbers of the workers, from 1. */
  readonly workers: readonly number[]
  readonly #slots: BigInt64Array

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory
    this.#slots = new BigInt64Array(memory)
    const workers = this.#slots.length / SLOTS_PER_WORKER - 1
    this.workers = Array.from({ length: workers }, (_, index) => index + 1)
  }

  /** @param workers number of workers, which are numbered from 1 */
  static allocate(workers: number): SharedArrayBuffer {
    return new SharedArrayBuffer((1 + workers) * SLOTS_PER_WORKER * 8)
  }

  add(worker: number, counter: WorkerCounter, amount: number): void {
    if (amount !== 0) Atomics.add(this.#slots, slotOf(worker, counter), BigInt(amount))
  }

  /** Adds the skips of a page to the counters of worker 1: only the sum over all workers is reported. */
  addSkips(counts: SkipCounts | undefined): void {
    if (counts === undefined) return
    for (const counter of SKIP_COUNTERS) this.add(1, counter, counts[counter] ?? 0)
  }

  read(worker: number, counter: WorkerCounter): number {
    return Number(Atomics.load(this.#slots, slotOf(worker, counter)))
  }

  /** Returns the sum of a counter over all workers. */
  total(counter: WorkerCounter): number {
    return this.workers.reduce((sum, worker) => sum + this.read(worker, counter), 0)
  }

  /** The counters of each worker, from worker 1, without zeros. */
  get saved(): Record<string, number>[] {
    return this.workers.map((worker) => {
      const counts = WORKER_COUNTERS.map(
        (counter) => [counter, this.read(worker, counter)] as const,
      )
      return Object.fromEntries(counts.filter(([, count]) => count > 0))
    })
  }

  /** Adds the counters of an earlier run. Worker 1 gets those of workers that this run doesn't have. */
  restore(counts: readonly Readonly<Record<string, number>>[]): void {
    for (const [index, ofWorker] of counts.entries()) {
      const worker = this.workers[index] ?? 1
      for (const counter of WORKER_COUNTERS) this.add(worker, counter, ofWorker[counter] ?? 0)
    }
  }

  /** The greatest depth of any URL that was dispatched. */
  get deepest(): number {
    return Number(Atomics.load(this.#slots, DEEPEST))
  }

  set deepest(depth: number) {
    Atomics.store(this.#slots, DEEPEST, BigInt(depth))
  }

  /** The generation of the seen set; see `seenKeys`. */
  get seenGeneration(): number {
    return Number(Atomics.load(this.#slots, SEEN_GENERATION))
  }

  /** Begins a generation of the seen set, so that workers report all links again. */
  renewSeen(): void {
    Atomics.add(this.#slots, SEEN_GENERATION, 1n)
  }
}

function slotOf(worker: number, counter: WorkerCounter): number {
  return worker * SLOTS_PER_WORKER + (SLOTS.get(counter) ?? 0)
}
