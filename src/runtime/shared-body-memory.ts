/** Maximum bytes of a sitemap. sitemaps.org allows 50 MB, gzipped or not. */
export const MAX_SITEMAP_BYTES = 64 * 2 ** 20

/** Maximum bytes of all slots, unless two slots need more; there are at least two. */
const POOL_BYTES = 24 * 2 ** 20
const MAX_SLOTS = 64

/** Indexes into `owners`: the number of releases, and the owners of the scratch slot and of the first slot. */
const RELEASES = 0
const SCRATCH = 1
const FIRST = 2

/** Memory for large bodies, which threads share. */
export interface BodySlotsMemory {
  /** Numbers of 32 bits: the number of releases so far, then the owner of each slot, or 0. */
  readonly owners: SharedArrayBuffer
  readonly bytes: SharedArrayBuffer
  /** Maximum bytes of a decoded body in a slot. */
  readonly maxBody: number
}

/** Memory for one large body, coded or decoded. */
export interface BodySlot {
  readonly bytes: Buffer
  /** Frees the slot, whose bytes must not be used afterwards. */
  release(): void
}

/** Returns the maximum bytes to read of a coded body. Coding makes incompressible bodies longer, but not that long. */
export function codedLimit(maxBody: number): number {
  return maxBody + Math.ceil(maxBody / 100) + 1_024
}

/**
 * Slots of memory for large bodies, which all workers share. A worker takes a slot only when a body was received
 * completely, so no slot waits for a server. The slots bound the memory of all large bodies, and leave no garbage.
 */
export class BodySlots {
  readonly memory: BodySlotsMemory
  readonly #owners: Int32Array
  readonly #owner: number

  /** @param owner number of the thread, never 0 */
  constructor(memory: BodySlotsMemory, owner: number) {
    this.memory = memory
    this.#owners = new Int32Array(memory.owners)
    this.#owner = owner
  }

  /** Allocates address space for slots. The system adds memory only when a page is used first. */
  static allocate(maxBody: number): BodySlotsMemory {
    const slots = Math.min(MAX_SLOTS, Math.max(2, Math.floor(POOL_BYTES / maxBody)))
    const maxByteLength = (1 + slots) * codedLimit(maxBody)
    return {
      owners: new SharedArrayBuffer((FIRST + slots) * Int32Array.BYTES_PER_ELEMENT),
      // For a buffer that can't grow, V8 may reuse freed memory of an earlier crawl, and clear all of it at once.
      bytes: new SharedArrayBuffer(maxByteLength, { maxByteLength }),
      maxBody,
    }
  }

  /** Takes a slot for a body, as soon as one is free. */
  take(): Promise<BodySlot> {
    return this.#takeOf(FIRST, this.#owners.length)
  }

  /**
   * Takes the slot to decode in, as soon as it is free. Its owner must not wait for other slots, so that all threads
   * get it in time.
   */
  takeScratch(): Promise<BodySlot> {
    return this.#takeOf(SCRATCH, FIRST)
  }

  /** Frees the slots of a dead thread. */
  release(owner: number): void {
    for (let slot = SCRATCH; slot < this.#owners.length; slot++) this.#free(slot, owner)
  }

  async #takeOf(from: number, to: number): Promise<BodySlot> {
    for (;;) {
      const releases = Atomics.load(this.#owners, RELEASES)
      for (let slot = from; slot < to; slot++) {
        const isFree = Atomics.compareExchange(this.#owners, slot, 0, this.#owner) === 0
        if (isFree) return this.#open(slot)
      }
      await Atomics.waitAsync(this.#owners, RELEASES, releases).value
    }
  }

  #open(slot: number): BodySlot {
    const { bytes, maxBody } = this.memory
    const size = codedLimit(maxBody)
    let isOpen = true
    return {
      bytes: Buffer.from(bytes, (slot - SCRATCH) * size, size),
      release: () => {
        if (isOpen) this.#free(slot, this.#owner)
        isOpen = false
      },
    }
  }

  #free(slot: number, owner: number): void {
    if (Atomics.compareExchange(this.#owners, slot, owner, 0) !== owner) return
    Atomics.add(this.#owners, RELEASES, 1)
    Atomics.notify(this.#owners, RELEASES)
  }
}
