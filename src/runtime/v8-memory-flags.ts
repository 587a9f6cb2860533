import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import type { ResourceLimits } from 'node:worker_threads'

/** Threads up to which no flag is set that costs a sixth of the speed. */
const FEW = 4

/**
 * V8 is generous with memory for the sake of speed. In all that outnumber the cores, what each thread
 * takes counts for more.
 */
const FLAGS_OF_MANY = [
  // Over modules of WebAssembly, the optimizing compiler takes up to 25 MB in each thread.
  '--no-wasm-tier-up',
  '--no-wasm-dynamic-tiering',
  // A copy of V8's own code beside that of each thread, 2 MB, makes calls a little shorter.
  '--no-short-builtin-calls',
  // Collects garbage sooner, and optimizes less.
  '--optimize-for-size',
  // On a busy machine, what other threads are left to free is freed late.
  '--no-concurrent-sweeping',
  '--no-concurrent-array-buffer-sweeping',
]

/**
 * Where each core has a worker, threads that compile beside them take turns with them: crawls took 6 to 8 %
 * longer. With cores to spare they save time.
 */
const FLAG_OF_FULL_CORES = '--no-concurrent-recompilation'

/**
 * Megabytes for what is young. V8 would let it grow to 192 in each thread, where pages are large, with
 * as much again outside of its heap; and in small pages with many links, to half of that for nothing:
 * bounded, a crawl takes no more time, and a third less memory.
 */
const YOUNG_MB = 12
/** One of the two halves that V8 copies between: that of new threads has this size from the start. */
const SIZE_OF_YOUNG = '--min-semi-space-size=4'
/** That of the main thread doesn't grow, either; V8 would double it. */
const CONSTANT_YOUNG = '--semi-space-growth-factor=1'
const GROWING_YOUNG = '--semi-space-growth-factor=2'

/** Bytes for what is young on the main thread, which V8 started with less: both halves. */
export const YOUNG_OF_MAIN = 8 * 2 ** 20

/** Threads whose program is being loaded, and other reasons to lift the bound; undefined while young objects have no bound. */
let loading: number | undefined

/**
 * Returns whether memory counts for more than time: threads beyond the cores can't use the time. Collecting
 * after each large body costs a third of the speed where bodies are large.
 */
export function savesMemory(threads: number): boolean {
  return threads > availableParallelism()
}

/** Sets V8's flags for so many threads, which start from now on. Returns the limits of each. */
export function applyMemoryFlags(threads: number): ResourceLimits {
  if (threads >= availableParallelism()) setFlagsFromString(FLAG_OF_FULL_CORES)
  if (savesMemory(threads) && threads > FEW) {
    for (const flag of FLAGS_OF_MANY) setFlagsFromString(flag)
    return { maxYoungGenerationSizeMb: 1 }
  }
  setFlagsFromString(SIZE_OF_YOUNG)
  loading ??= 0
  return { maxYoungGenerationSizeMb: YOUNG_MB }
}

/**
 * Lifts the bound on the young generation of the main thread while another thread loads its program: V8 rejects cached
 * code that was compiled under other flags.
 * @returns a function that restores the bound
 */
export function liftBoundOfYoung(): () => void {
  if (loading === undefined) return () => {}
  if (loading++ === 0) setFlagsFromString(GROWING_YOUNG)
  let isDone = false
  return () => {
    if (isDone || loading === undefined) return
    isDone = true
    if (--loading === 0) setFlagsFromString(CONSTANT_YOUNG)
  }
}
