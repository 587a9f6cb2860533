import { getHeapStatistics } from 'node:v8'
import { collect } from './collect-garbage.ts'

/** Milliseconds between two checks. */
const EVERY = 500

/**
 * Keeps the heap of a thread small: what it holds is little, and changes all the time, and V8 would let
 * dozens of megabytes gather before it looks for what can be freed, and keep more than a hundred for what is
 * young, even while they are empty.
 */
export class HeapTrimmer {
  readonly #growth: number
  readonly #timer = setInterval(() => this.#look(), EVERY).unref()
  #least = held()

  /** @param growth bytes that the heap may grow by, from its smallest size; or by that size, if it is larger */
  constructor(growth: number) {
    this.#growth = growth
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = held()
    this.#least = Math.min(this.#least, now)
    // What a program that crawls holds besides is its own, and long to look through.
    if (now - this.#least < Math.max(this.#growth, this.#least)) return
    // The only one that gives back what the young took.
    collect({ type: 'major', flavor: 'last-resort' })
    this.#least = held()
  }
}

function held(): number {
  return getHeapStatistics().total_physical_size
}
