import { availableParallelism } from 'node:os'
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8'
import type { ResourceLimits } from 'node:worker_threads'
import { LiftableFlag } from './liftable-flag.ts'

/** Maximum number of threads without `FLAGS_OF_MANY`, which cost a sixth of the speed. */
const MAX_THREADS_WITHOUT_FLAGS = 4

/**
 * Flags for more threads than cores. V8 uses much memory for the sake of speed. With many threads, the
 * memory of each matters more.
 */
const FLAGS_OF_MANY = [
  // These two turn off the optimizing compiler for WebAssembly, which takes up to 25 MB in each thread.
  '--no-wasm-tier-up',
  '--no-wasm-dynamic-tiering',
  // Turns off a copy of V8's built-in code, 2 MB in each thread, which makes calls slightly faster.
  '--no-short-builtin-calls',
  // Collects garbage sooner, and optimizes less.
  '--optimize-for-size',
  // Memory that V8's background threads should free would be freed late on a busy machine.
  '--no-concurrent-sweeping',
  '--no-concurrent-array-buffer-sweeping',
]

/** V8's own values of these flags. `--optimize-for-size` sets the last one on Node 22. */
const RESET_FLAGS = [
  ...['--wasm-tier-up', '--wasm-dynamic-tiering', '--short-builtin-calls'],
  ...['--no-optimize-for-size', '--concurrent-sweeping', '--concurrent-array-buffer-sweeping'],
  '--max-semi-space-size=0',
]

/**
 * Flag for at least as many threads as cores: V8's background compiler threads would compete with workers for
 * cores, and crawls took 6 to 8 % longer. With free cores, background compilation saves time.
 */
const FLAG_OF_FULL_CORES = '--no-concurrent-recompilation'

/**
 * Megabytes of V8's young generation. Without a bound, large pages let it grow to 192 MB in each thread, plus as much
 * outside of the heap. Small pages with many links let it grow to half of that, without any benefit. The bound saves a
 * third of the memory and costs no time.
 */
const YOUNG_MB = 12
/** The initial size, in megabytes, of each semi-space of new threads. V8 copies young objects between the two. */
const YOUNG_SIZE_FLAG = '--min-semi-space-size=4'
const DEFAULT_YOUNG_SIZE_FLAG = '--min-semi-space-size=0'
/** Keeps the semi-spaces of the main thread at their size. Otherwise, V8 may double them. */
const constantYoung = new LiftableFlag(
  '--semi-space-growth-factor=1',
  '--semi-space-growth-factor=2',
)

/** Bytes of the young generation of the main thread, both semi-spaces together. V8 starts with less. */
export const MAIN_YOUNG_BYTES = 8 * 2 ** 20

/** Number of crawls that run under `FLAGS_OF_MANY`. */
let crawlsOfMany = 0

/**
 * Returns whether to save memory at the cost of time: true if there are more threads than cores, since they can't all
 * run at once. Collecting garbage after each large body costs a third of the speed if bodies are large.
 */
export function savesMemory(threads: number): boolean {
  return threads > availableParallelism()
}

/** The flags of a crawl. */
interface MemoryFlags {
  /** The limits of each of its threads. */
  readonly limits: ResourceLimits
  /** Call it once the threads have ended. */
  restore(): void
}

/** Sets V8's flags for `threads` threads that start afterwards. */
export function applyMemoryFlags(threads: number): MemoryFlags {
  if (threads >= availableParallelism()) setFlagsFromString(FLAG_OF_FULL_CORES)
  if (savesMemory(threads) && threads > MAX_THREADS_WITHOUT_FLAGS) {
    return { limits: { maxYoungGenerationSizeMb: 1 }, restore: setFlagsOfMany() }
  }
  setYoungSize()
  return { limits: { maxYoungGenerationSizeMb: YOUNG_MB }, restore: constantYoung.want() }
}

/**
 * Sets `FLAGS_OF_MANY` until the last crawl that wants them ends, or the process does, when the main thread's code is
 * cached: V8 rejects code that was compiled under other flags than those at the next start.
 * @returns a function that ends this for one crawl
 */
function setFlagsOfMany(): () => void {
  if (crawlsOfMany === 0) {
    for (const flag of FLAGS_OF_MANY) setFlagsFromString(flag)
    process.once('exit', resetFlags)
  }
  crawlsOfMany += 1
  return () => {
    crawlsOfMany -= 1
    if (crawlsOfMany > 0) return
    process.off('exit', resetFlags)
    resetFlags()
  }
}

function resetFlags(): void {
  for (const flag of RESET_FLAGS) setFlagsFromString(flag)
}

/**
 * Sets the initial size of the semi-spaces, unless V8 rejects cached code from then on, as in Node 22 and 24.0: each
 * start would compile the main thread's program and Node's own modules again, which takes longer than the size saves.
 */
function setYoungSize(): void {
  const tag = cachedDataVersionTag()
  setFlagsFromString(YOUNG_SIZE_FLAG)
  if (cachedDataVersionTag() !== tag) setFlagsFromString(DEFAULT_YOUNG_SIZE_FLAG)
}

/**
 * Lifts the bound on the young generation of the main thread, as while another thread loads its program.
 * @returns a function that restores the bound
 */
export function liftYoungGenerationLimit(): () => void {
  return constantYoung.lift()
}
