import { growTo, memoryLimit, reserveShared } from './growable.ts'

const pageBytes = 4096
const lineBytes = 64
/** A line of the first page for each level, behind the line that counts them. */
export const maxLevels = pageBytes / lineBytes - 1
const published = 0

/** Bytes of a level, by nothing but its number: so any thread knows where each level lies. */
export type LevelBytes = (level: number) => number

/** @throws RangeError when there is no room for the first level */
export function allocateLevels(bytesOf: LevelBytes, most = memoryLimit()): SharedArrayBuffer {
  const buffer = reserveShared(pageBytes + pages(bytesOf(0)), most)
  Atomics.store(new Int32Array(buffer), published, 1)
  return buffer
}

/** Bytes of a set of levels, with what manages them. */
export function bytesOfLevels(bytesOf: LevelBytes, count: number): number {
  let sum = pageBytes
  for (let level = 0; level < count; level++) sum += pages(bytesOf(level))
  return sum
}

/**
 * Shared memory that grows by one level at a time and never moves what it holds. Running threads
 * see a new level as soon as its number is published, which is one atomic step that any thread can
 * take: two that do it at once do the same, and one that dies half-way leaves nothing behind.
 */
export class Levels {
  readonly #buffer: SharedArrayBuffer
  readonly #header: Int32Array
  readonly #bytesOf: LevelBytes

  constructor(buffer: SharedArrayBuffer, bytesOf: LevelBytes) {
    this.#buffer = buffer
    this.#header = new Int32Array(buffer, 0, pageBytes / 4)
    this.#bytesOf = bytesOf
  }

  /** Number of levels, at least 1. */
  get count(): number {
    return Atomics.load(this.#header, published)
  }

  get bytes(): number {
    return bytesOfLevels(this.#bytesOf, this.count)
  }

  /** The memory of a published level, zero at first. */
  words(level: number): Int32Array<SharedArrayBuffer> {
    // In a snapshot that was taken while it grew, a level may be counted and not be there.
    growTo(this.#buffer, bytesOfLevels(this.#bytesOf, level + 1))
    const start = bytesOfLevels(this.#bytesOf, level)
    return new Int32Array(this.#buffer, start, this.#bytesOf(level) >> 2)
  }

  /** Counters of a level: a cache line of its own. */
  counters(level: number): Int32Array<SharedArrayBuffer> {
    return new Int32Array(this.#buffer, (level + 1) * lineBytes, lineBytes / 4)
  }

  /** Publishes the level after `level`, unless that has been done; false when there is no room. */
  growBeyond(level: number): boolean {
    const next = level + 1
    if (next >= maxLevels || !growTo(this.#buffer, bytesOfLevels(this.#bytesOf, next + 1))) {
      return false
    }
    Atomics.compareExchange(this.#header, published, next, next + 1)
    return true
  }
}

function pages(bytes: number): number {
  return Math.ceil(bytes / pageBytes) * pageBytes
}
