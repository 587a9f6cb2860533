import { PAGE_BYTES } from '../runtime/allocate-pages.ts'
import { memoryLimit } from '../runtime/process-limits.ts'
import { growTo, reserveShared } from './growable-shared-buffer.ts'

const LINE_BYTES = 64
/**
 * Maximum number of levels. The first page has one cache line for each level, after the line that
 * counts the levels.
 */
export const MAX_LEVELS = PAGE_BYTES / LINE_BYTES - 1
const PUBLISHED = 0

/** Returns the bytes of a level by its number alone, so that any thread can locate each level. */
export type LevelBytes = (level: number) => number

/** @throws RangeError when there is no room for the first level */
export function allocateLevels(bytesOf: LevelBytes): SharedArrayBuffer {
  const buffer = reserveShared(PAGE_BYTES + pages(bytesOf(0)), memoryLimit())
  Atomics.store(new Int32Array(buffer), PUBLISHED, 1)
  return buffer
}

/** Returns the bytes of that many levels, including their header. */
export function levelBytes(bytesOf: LevelBytes, count: number): number {
  let sum = PAGE_BYTES
  for (let level = 0; level < count; level++) sum += pages(bytesOf(level))
  return sum
}

/**
 * Shared memory that grows by one level at a time and never moves its content. Running threads see
 * a new level as soon as its number is published. That is one atomic step that any thread can take.
 * If two threads take it at once, it happens once, and a thread that dies halfway leaves nothing
 * behind.
 */
export class SharedLevels {
  readonly #buffer: SharedArrayBuffer
  readonly #header: Int32Array
  readonly #bytesOf: LevelBytes

  constructor(buffer: SharedArrayBuffer, bytesOf: LevelBytes) {
    this.#buffer = buffer
    this.#header = new Int32Array(buffer, 0, PAGE_BYTES / 4)
    this.#bytesOf = bytesOf
  }

  /** Number of levels, at least 1. */
  get count(): number {
    return Atomics.load(this.#header, PUBLISHED)
  }

  get bytes(): number {
    return levelBytes(this.#bytesOf, this.count)
  }

  /** Returns the memory of a published level, initially zero. */
  words(level: number): Int32Array<SharedArrayBuffer> {
    // In a snapshot that was taken during growth, a counted level may be missing.
    growTo(this.#buffer, levelBytes(this.#bytesOf, level + 1))
    const start = levelBytes(this.#bytesOf, level)
    return new Int32Array(this.#buffer, start, this.#bytesOf(level) >> 2)
  }

  /** Returns the counters of a level: a cache line of its own. */
  counters(level: number): Int32Array<SharedArrayBuffer> {
    return new Int32Array(this.#buffer, (level + 1) * LINE_BYTES, LINE_BYTES / 4)
  }

  /** Publishes the level after `level`, unless that has been done; false when there is no room. */
  growBeyond(level: number): boolean {
    const next = level + 1
    if (next >= MAX_LEVELS || !growTo(this.#buffer, levelBytes(this.#bytesOf, next + 1))) {
      return false
    }
    Atomics.compareExchange(this.#header, PUBLISHED, next, next + 1)
    return true
  }
}

function pages(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES
}
