import { getHeapStatistics } from 'node:v8'
import { garbageCollector } from '../wire/garbage-collector.ts'

/** Bytes that may gather. */
const MUCH = 64 * 2 ** 20
/** Milliseconds between two looks. */
const EVERY = 250

/**
 * Keeps the heap of the main thread small: what it holds is little, and changes all the time, and V8
 * would let hundreds of megabytes gather before it looks for what can be freed.
 */
export class HeapBound {
  readonly #timer = setInterval(() => this.#look(), EVERY).unref()
  #collect: ReturnType<typeof garbageCollector> | undefined
  #least = used()

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    this.#least = Math.min(this.#least, used())
    if (used() - this.#least < MUCH) return
    this.#collect ??= garbageCollector()
    this.#collect()
    this.#least = used()
  }
}

function used(): number {
  return getHeapStatistics().used_heap_size
}
