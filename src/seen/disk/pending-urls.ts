import type { UrlBytes } from '../../hashing/url-bytes.ts'
import { mapToRange } from '../double-hashing.ts'

/** Slots of the hash table, of which at most half are used. */
const slots = 16_384
const maxUrls = slots / 2
/** Bytes of memory for their entries. */
const arenaBytes = 2 ** 20
const head = { used: 0, count: 1, first: 16 } as const
/** Words of an entry before its bytes. */
const entry = { hash: 0, byteLength: 1, bytes: 2 } as const
const none = 0

export interface PendingUrlsMemory {
  /** Offsets of entries, by hash. */
  readonly slots: SharedArrayBuffer
  readonly arena: SharedArrayBuffer
}

export const pendingBytes = slots * Int32Array.BYTES_PER_ELEMENT + arenaBytes

export function allocatePendingUrls(): PendingUrlsMemory {
  return {
    slots: new SharedArrayBuffer(slots * Int32Array.BYTES_PER_ELEMENT),
    arena: new SharedArrayBuffer(arenaBytes),
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
    return this.#slots[this.#slotOf(url, hash)] !== none
  }

  /** Adds a missing URL; false when there is no room for it. */
  add(url: UrlBytes, hash: number): boolean {
    const arena = this.#arena
    const count = arena[head.count] ?? 0
    const start = arena[head.used] || head.first
    const end = start + entry.bytes + wordsOf(url)
    if (count >= maxUrls || end > arena.length) return false
    arena[start + entry.hash] = hash
    arena[start + entry.byteLength] = url.byteLength
    for (let word = 0; word < wordsOf(url); word++) {
      arena[start + entry.bytes + word] = url.words[word] ?? 0
    }
    arena[head.used] = end
    arena[head.count] = count + 1
    this.#slots[this.#slotOf(url, hash)] = start
    return true
  }

  /** Returns all URLs, oldest first. */
  all(): string[] {
    const urls: string[] = []
    const end = this.#arena[head.used] ?? 0
    for (let at: number = head.first; at < end; ) {
      const byteLength = this.#arena[at + entry.byteLength] ?? 0
      const start = (at + entry.bytes) * 4
      urls.push(this.#bytes.toString('utf8', start, start + byteLength))
      at += entry.bytes + ((byteLength + 3) >> 2)
    }
    return urls
  }

  clear(): void {
    this.#slots.fill(none)
    this.#arena[head.used] = 0
    this.#arena[head.count] = 0
  }

  /** Returns the slot of a URL: the one that leads to it, or the free one for it. */
  #slotOf(url: UrlBytes, hash: number): number {
    let slot = mapToRange(hash, slots)
    for (let at = this.#slots[slot]; at !== none; at = this.#slots[slot]) {
      if (this.#isAt(at ?? none, url, hash)) break
      slot = (slot + 1) % slots
    }
    return slot
  }

  #isAt(at: number, url: UrlBytes, hash: number): boolean {
    const arena = this.#arena
    if (arena[at + entry.hash] !== hash) return false
    if (arena[at + entry.byteLength] !== url.byteLength) return false
    for (let word = 0; word < wordsOf(url); word++) {
      if (arena[at + entry.bytes + word] !== url.words[word]) return false
    }
    return true
  }
}

function wordsOf({ byteLength }: UrlBytes): number {
  return (byteLength + 3) >> 2
}
