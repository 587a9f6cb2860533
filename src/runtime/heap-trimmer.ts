import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import { collect } from './collect-garbage.ts'
import { liftYoungGenerationLimit } from './v8-memory-flags.ts'

/** Bytes of garbage after which a thread of a crawl collects it. V8 collects a usual heap itself before that. */
const HEAP_GROWTH = 16 * 2 ** 20

/** Milliseconds between two checks. */
const CHECK_MS = 250
/** Milliseconds for which the young generation may grow: too short for V8 to double it twice. */
const GROWTH_MS = 20
/** A pause after a collection is this number of times as long as the collection, in clock time or in CPU time. */
const PAUSE_FACTOR = 20
/** Multiple of `growth`, in garbage and empty pages, from which on a last-resort collection is worth its time. */
const LAST_RESORT_GROWTHS = 3

/**
 * Keeps the heap of a thread small. Few objects live long, but V8 may let dozens of megabytes of garbage accumulate,
 * and keep more than a hundred for the young generation, even while it is empty.
 *
 * A collection that is requested costs more than one of V8's own: it stops the thread, and V8 discards the optimized
 * code of all functions for whose objects there is no example at that time. So it is for garbage that V8 leaves.
 */
export class HeapTrimmer {
  readonly #growth: number
  readonly #timer = setInterval(() => this.#check(), CHECK_MS).unref()
  /** The minimum of bytes in use since the last collection. */
  #least = bytesInUse()
  /**
   * The end of the pause after a collection. It ends when either clock reaches it, since on a busy machine, most of
   * the clock time of a collection is waiting.
   */
  #pauseUntil: Clocks = { wall: 0, cpu: 0 }
  readonly #young: number | undefined

  /**
   * @param young bytes to which the young generation grows back after a last-resort collection, which shrinks it. Not
   * needed for workers, whose young generation never shrinks below its size
   * @param growth bytes of garbage, in old objects and buffers, after which to collect. A third of the bytes in use
   * counts instead if that is more, since a large heap takes long to collect
   */
  constructor(young?: number, growth = HEAP_GROWTH) {
    this.#young = young
    this.#growth = growth
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #check(): void {
    this.#reviewYoung()
    const { wall, cpu } = readClocks()
    if (wall < this.#pauseUntil.wall && cpu < this.#pauseUntil.cpu) return
    const inUse = bytesInUse()
    this.#least = Math.min(this.#least, inUse)
    const garbage = inUse - this.#least
    if (garbage + emptyBytes() > Math.max(LAST_RESORT_GROWTHS * this.#growth, this.#least)) {
      // Only this kind frees the memory of the young generation, and pages that are mostly unused.
      this.#collect('last-resort')
    } else if (garbage > Math.max(this.#growth, this.#least / 3)) this.#collect()
  }

  #reviewYoung(): void {
    // The young generation counts as shrunk only below 75 %, since V8 doubles it and some pages may be missing.
    if (this.#young === undefined || youngBytes() >= 0.75 * this.#young) return
    setTimeout(liftYoungGenerationLimit(), GROWTH_MS).unref()
  }

  #collect(flavor?: 'last-resort'): void {
    const start = readClocks()
    collect({ type: 'major', ...(flavor && { flavor }) })
    const end = readClocks()
    this.#pauseUntil = {
      wall: end.wall + PAUSE_FACTOR * (end.wall - start.wall),
      cpu: end.cpu + PAUSE_FACTOR * (end.cpu - start.cpu),
    }
    this.#least = bytesInUse()
  }
}

/** Milliseconds of clock time, and of CPU time of this thread. */
interface Clocks {
  readonly wall: number
  readonly cpu: number
}

function readClocks(): Clocks {
  const { user, system } = process.threadCpuUsage()
  return { wall: performance.now(), cpu: (user + system) / 1_000 }
}

/** Returns the bytes of old objects and buffers. Young objects are ignored, since V8 frees them often and cheaply. */
function bytesInUse(): number {
  let bytes = getHeapStatistics().external_memory
  for (const { space_name, space_used_size } of getHeapSpaceStatistics()) {
    if (space_name !== 'new_space') bytes += space_used_size
  }
  return bytes
}

function youngBytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return space?.space_size ?? 0
}

function emptyBytes(): number {
  const { total_physical_size, used_heap_size } = getHeapStatistics()
  return total_physical_size - used_heap_size
}
