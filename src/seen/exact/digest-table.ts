import { allocatePages } from '../../runtime/allocate-pages.ts'
import { mapToRange } from '../double-hashing.ts'
import {
  allocateLevels,
  type LevelBytes,
  levelBytes,
  MAX_LEVELS,
  SharedLevels,
} from '../shared-levels.ts'

/** Load of a level at which the next one is opened: linear probing slows down above it. */
const MAX_LOAD = 0.6
/** Maximum words of a level. It keeps word positions small integers, which V8 handles best. */
const MAX_LEVEL_WORDS = 2 ** 28
const TAKEN_COUNTER = 0
/** Number of digests after which the memory of a level is allocated at once. */
const ALLOCATED_AT = 32
const EMPTY = 0

/** Layout of a table; the same for all of its threads. */
export interface DigestLayout {
  /** 32-bit words per digest. */
  readonly width: number
  /** Number of digests for which the first level has room. */
  readonly firstCapacity: number
  /** Size of each level relative to the one before. */
  readonly growth: number
}

export function allocateDigestTable(layout: DigestLayout): SharedArrayBuffer {
  return allocateLevels(levelBytesOf(layout))
}

/** Returns the bytes of a table with that many digests, and whether they fit. */
export function digestTableSize(
  layout: DigestLayout,
  digests: number,
): { bytes: number; fits: boolean } {
  let left = digests
  for (let level = 0; level < MAX_LEVELS; level++) {
    left -= capacityOf(layout, level)
    if (left < 0) return { bytes: levelBytes(levelBytesOf(layout), level + 1), fits: true }
  }
  return { bytes: (digests / MAX_LOAD) * layout.width * 4, fits: false }
}

/**
 * A set of digests in shared memory: levels of open addressing with linear probing, without locks.
 *
 * The words of a slot are written once each, from 0, in order, by compare-exchange; the thread that
 * writes the last word owns the digest. Threads with the same digest probe the same slots in the
 * same order and skip the same ones, since the words that made one skip a slot never change. A
 * thread that dies leaves at most one slot half written, which the next thread with the same words
 * completes.
 *
 * Digests go to the newest level. If a newer level appears meanwhile, other threads may have
 * searched the older one before the digest was there. So it has to be claimed in the newer level as
 * well, until no newer one appears. The thread that claims it in a level that is still the newest
 * afterwards is the only one: later threads find it there, and earlier ones meet it in one of those
 * levels.
 */
export class DigestTable {
  readonly #levels: SharedLevels
  readonly #layout: DigestLayout
  readonly #words: Int32Array[] = []
  readonly #counters: Int32Array[] = []
  /** True if the newest level is full, and no other could be added. */
  isFull = false

  constructor(memory: SharedArrayBuffer, layout: DigestLayout) {
    this.#levels = new SharedLevels(memory, levelBytesOf(layout))
    this.#layout = layout
    this.#openPublished()
  }

  get levels(): number {
    return this.#words.length
  }

  get bytes(): number {
    return this.#levels.bytes
  }

  /** Share of the slots in use, 0 to 1. */
  get fill(): number {
    this.#openPublished()
    const slots = this.#words.reduce((sum, words) => sum + words.length, 0) / this.#layout.width
    const used = this.#counters.reduce(
      (sum, counters) => sum + Atomics.load(counters, TAKEN_COUNTER),
      0,
    )
    return used / slots
  }

  /** Returns whether `digest`, which has no word of 0, is in the table. */
  has(digest: Int32Array): boolean {
    for (let level = this.#openPublished(); level >= 0; level--) {
      if (this.#find(level, digest)) return true
    }
    return false
  }

  /** Adds `digest`, which has no word of 0; true for exactly one caller. */
  claim(digest: Int32Array): boolean {
    for (let level = 0; ; ) {
      const newest = this.#openPublished()
      for (; level < newest; level++) if (this.#find(level, digest)) return false
      if (!this.#claimIn(newest, digest)) return false
      const isOwned = this.#levels.count === newest + 1
      this.#count(newest)
      if (isOwned) return true
      level = newest + 1
    }
  }

  /** Opens published levels; returns the number of the newest. */
  #openPublished(): number {
    const { count } = this.#levels
    for (let level = this.#words.length; level < count; level++) {
      this.#words.push(this.#levels.words(level))
      this.#counters.push(this.#levels.counters(level))
    }
    return count - 1
  }

  #find(level: number, digest: Int32Array): boolean {
    const { width } = this.#layout
    const words = this.#words[level] ?? NO_WORDS
    let at = this.#firstSlot(words, digest)
    for (let left = words.length; left > 0; left -= width) {
      const first = Atomics.load(words, at)
      if (first === EMPTY) return false
      if (first === digest[0] && hasRestOf(words, at, digest)) return true
      at += width
      if (at === words.length) at = 0
    }
    return false
  }

  #claimIn(level: number, digest: Int32Array): boolean {
    const { width } = this.#layout
    const words = this.#words[level] ?? NO_WORDS
    let at = this.#firstSlot(words, digest)
    for (let left = words.length; left > 0; left -= width) {
      const filled = fillSlot(words, at, digest)
      if (filled !== 'other') return filled === 'ours'
      at += width
      if (at === words.length) at = 0
    }
    return false
  }

  #firstSlot(words: Int32Array, digest: Int32Array): number {
    const { width } = this.#layout
    return mapToRange(digest[0] ?? 0, words.length / width) * width
  }

  #count(level: number): void {
    const counters = this.#counters[level] ?? NO_WORDS
    const before = Atomics.add(counters, TAKEN_COUNTER, 1)
    if (before === ALLOCATED_AT) allocatePages(this.#words[level] ?? NO_WORDS)
    if (before + 1 < capacityOf(this.#layout, level)) return
    if (!this.#levels.growBeyond(level)) this.isFull = true
  }
}

const NO_WORDS = new Int32Array(0)

function hasRestOf(words: Int32Array, at: number, digest: Int32Array): boolean {
  for (let word = 1; word < digest.length; word++) {
    if (Atomics.load(words, at + word) !== digest[word]) return false
  }
  return true
}

/** Writes the unwritten words of a slot, as long as the written ones agree with `digest`. */
function fillSlot(words: Int32Array, at: number, digest: Int32Array): 'ours' | 'known' | 'other' {
  let before = EMPTY
  for (let word = 0; word < digest.length; word++) {
    const own = digest[word] ?? EMPTY
    before = Atomics.load(words, at + word)
    if (before === EMPTY) before = Atomics.compareExchange(words, at + word, EMPTY, own)
    if (before !== EMPTY && before !== own) return 'other'
  }
  return before === EMPTY ? 'ours' : 'known'
}

function capacityOf({ width, firstCapacity, growth }: DigestLayout, level: number): number {
  const most = Math.floor((MAX_LEVEL_WORDS / width) * MAX_LOAD)
  return Math.min(firstCapacity * growth ** level, most)
}

function levelBytesOf(layout: DigestLayout): LevelBytes {
  return (level) => Math.ceil(capacityOf(layout, level) / MAX_LOAD) * layout.width * 4
}
