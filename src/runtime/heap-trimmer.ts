import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import { collect } from './collect-garbage.ts'

/** Milliseconds between two checks. */
const EVERY = 500
/** Collections take at most one in so many milliseconds. */
const REST = 20
/** Growths, in garbage and in empty pages, from which a last resort is worth its time. */
const MUCH = 2

/**
 * Keeps the heap of a thread small: what it holds is little, and changes all the time, and V8 would let
 * dozens of megabytes gather before it looks for what can be freed, and keep more than a hundred for what is
 * young, even while they are empty.
 */
export class HeapTrimmer {
  readonly #growth: number
  readonly #timer = setInterval(() => this.#look(), EVERY).unref()
  /** The least bytes in use, since the last collection. */
  #least = bytesInUse()
  /** Time before which nothing is collected. */
  #notBefore = 0

  /**
   * @param growth bytes of garbage, in old objects and in buffers, that are collected; or half of what is in use, if
   * that is more: it takes long to look through
   */
  constructor(growth: number) {
    this.#growth = growth
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    if (performance.now() < this.#notBefore) return
    const inUse = bytesInUse()
    this.#least = Math.min(this.#least, inUse)
    const garbage = inUse - this.#least
    if (garbage + emptyBytes() > Math.max(MUCH * this.#growth, this.#least)) {
      // The only one that gives back what the young took, and pages of which little is in use.
      this.#collect('last-resort')
    } else if (garbage > Math.max(this.#growth, this.#least / 2)) this.#collect()
  }

  #collect(flavor?: 'last-resort'): void {
    const start = performance.now()
    collect({ type: 'major', ...(flavor && { flavor }) })
    const end = performance.now()
    this.#notBefore = end + REST * (end - start)
    this.#least = bytesInUse()
  }
}

/** Returns the bytes of old objects, and of buffers: young objects are freed cheaply, and often. */
function bytesInUse(): number {
  let bytes = getHeapStatistics().external_memory
  for (const { space_name, space_used_size } of getHeapSpaceStatistics()) {
    if (space_name !== 'new_space') bytes += space_used_size
  }
  return bytes
}

function emptyBytes(): number {
  const { total_physical_size, used_heap_size } = getHeapStatistics()
  return total_physical_size - used_heap_size
}
