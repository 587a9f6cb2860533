import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import { collect } from './collect-garbage.ts'
import { liftBoundOfYoung } from './v8-memory-flags.ts'

/** Milliseconds between two checks. */
const CHECK_MS = 250
/** Milliseconds in which the space for young objects may grow: too few for V8 to double it twice. */
const GROWTH_MS = 20
/** Collections take at most one in so many milliseconds, of the clock or of the thread's CPU time. */
const REST_FACTOR = 20
/** Growths, in garbage and in empty pages, from which a last resort is worth its time. */
const LAST_RESORT_GROWTHS = 3

/**
 * Keeps the heap of a thread small. Little of it lives long, but V8 would let dozens of megabytes of garbage gather, and
 * keep more than a hundred for young objects, even while they are empty.
 */
export class HeapTrimmer {
  readonly #growth: number
  readonly #timer = setInterval(() => this.#look(), CHECK_MS).unref()
  /** The least bytes in use, since the last collection. */
  #least = bytesInUse()
  /** The end of the rest after a collection, by either clock: on a busy machine, a collection mostly waits. */
  #restUntil: Clocks = { wall: 0, cpu: 0 }
  readonly #young: number | undefined

  /**
   * @param growth bytes of garbage, in old objects and in buffers, that are collected; or a third of what is in use, if
   * that is more: it takes long to look through
   * @param young bytes for new objects, which V8 takes away as a last resort: grows to that size again. Workers never
   * have less
   */
  constructor(growth: number, young?: number) {
    this.#growth = growth
    this.#young = young
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    this.#reviewYoung()
    const { wall, cpu } = readClocks()
    if (wall < this.#restUntil.wall && cpu < this.#restUntil.cpu) return
    const inUse = bytesInUse()
    this.#least = Math.min(this.#least, inUse)
    const garbage = inUse - this.#least
    if (garbage + emptyBytes() > Math.max(LAST_RESORT_GROWTHS * this.#growth, this.#least)) {
      // The only one that gives back what the young took, and pages of which little is in use.
      this.#collect('last-resort')
    } else if (garbage > Math.max(this.#growth, this.#least / 3)) this.#collect()
  }

  #reviewYoung(): void {
    // V8 doubles it, and some of its pages may be missing.
    if (this.#young === undefined || youngBytes() >= 0.75 * this.#young) return
    setTimeout(liftBoundOfYoung(), GROWTH_MS).unref()
  }

  #collect(flavor?: 'last-resort'): void {
    const start = readClocks()
    collect({ type: 'major', ...(flavor && { flavor }) })
    const end = readClocks()
    this.#restUntil = {
      wall: end.wall + REST_FACTOR * (end.wall - start.wall),
      cpu: end.cpu + REST_FACTOR * (end.cpu - start.cpu),
    }
    this.#least = bytesInUse()
  }
}

/** Milliseconds of the clock, and of CPU time of this thread. */
interface Clocks {
  readonly wall: number
  readonly cpu: number
}

function readClocks(): Clocks {
  const { user, system } = process.threadCpuUsage()
  return { wall: performance.now(), cpu: (user + system) / 1_000 }
}

/** Returns the bytes of old objects, and of buffers: young objects are freed cheaply, and often. */
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
