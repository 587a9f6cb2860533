import { type UrlBytes, wordsFor } from '../../hashing/url-bytes.ts'
import { mapToRange } from '../double-hashing.ts'

/** Slots of the hash table, of which at most half are used. */
const SLOTS = 16_384
const MAX_URLS = SLOTS / 2
/** Bytes of memory for their entries. */
const ARENA_BYTES = 2 ** 20
const HEAD = { used: 0, count: 1, first: 16 } as const
/** Words of an entry before its bytes. */
const ENTRY = { hash: 0, byteLength: 1, bytes: 2 } as const
const NONE = 0

export interface PendingUrlsMemory {
  /** Offsets of entries, by hash. */
  readonly slots: SharedArrayBuffer
  readonly arena: SharedArrayBuffer
}

export const PENDING_BYTES = SLOTS * Int32Array.BYTES_PER_ELEMENT + ARENA_BYTES

export function allocatePendingUrls(): PendingUrlsMemory {
  return {
    slots: new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT),
    arena: new SharedArrayBuffer(ARENA_BYTES),
  }
}

/**
 * Whole URLs on their way to the disk, in shared memory. All calls need the lock that the writers
 * of the disk share. An entry is complete before it can be found, so a thread that dies leaves no
 * incomplete one.
 */
export class PendingUrls {
  readonly #slots: Int32Array
  readonly #arena: Int32Array
  readonly #bytes: Buffer

  constructor(memory: PendingUrlsMemory) {
    this.#slots = new Int32Array(memory.slots)
    this.#arena = new Int32Array(memory.arena)
    this.#bytes = Buffer.from(memory.arena)
  }

  has(url: UrlBytes, hash: number): boolean {
    return this.#slots[this.#slotOf(url, hash)] !== NONE
  }

  /** Adds a missing URL; false when there is no room for it. */
  add(url: UrlBytes, hash: number): boolean {
    const arena = this.#arena
    const count = arena[HEAD.count] ?? 0
    const start = arena[HEAD.used] || HEAD.first
    const end = start + ENTRY.bytes + wordsFor(url.byteLength)
    if (count >= MAX_URLS || end > arena.length) return false
    arena[start + ENTRY.hash] = hash
    arena[start + ENTRY.byteLength] = url.byteLength
    for (let word = 0; word < wordsFor(url.byteLength); word++) {
      arena[start + ENTRY.bytes + word] = url.words[word] ?? 0
    }
    arena[HEAD.used] = end
    arena[HEAD.count] = count + 1
    this.#slots[this.#slotOf(url, hash)] = start
    return true
  }

  /** Returns all URLs, oldest first. */
  all(): string[] {
    const urls: string[] = []
    const end = this.#arena[HEAD.used] ?? 0
    for (let at: number = HEAD.first; at < end; ) {
      const byteLength = this.#arena[at + ENTRY.byteLength] ?? 0
      const start = (at + ENTRY.bytes) * 4
      urls.push(this.#bytes.toString('utf8', start, start + byteLength))
      at += ENTRY.bytes + wordsFor(byteLength)
    }
    return urls
  }

  clear(): void {
    this.#slots.fill(NONE)
    this.#arena[HEAD.used] = 0
    this.#arena[HEAD.count] = 0
  }

  /** Returns the slot of a URL: the one that leads to it, or the free one for it. */
  #slotOf(url: UrlBytes, hash: number): number {
    let slot = mapToRange(hash, SLOTS)
    for (let at = this.#slots[slot]; at !== NONE; at = this.#slots[slot]) {
      if (this.#isAt(at ?? NONE, url, hash)) break
      slot = (slot + 1) % SLOTS
    }
    return slot
  }

  #isAt(at: number, url: UrlBytes, hash: number): boolean {
    const arena = this.#arena
    if (arena[at + ENTRY.hash] !== hash) return false
    if (arena[at + ENTRY.byteLength] !== url.byteLength) return false
    for (let word = 0; word < wordsFor(url.byteLength); word++) {
      if (arena[at + ENTRY.bytes + word] !== url.words[word]) return false
    }
    return true
  }
}
