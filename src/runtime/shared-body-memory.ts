/** sitemaps.org allows 50 MB, gzipped or not. */
export const MAX_SITEMAP_BYTES = 64 * 2 ** 20

/** Bytes of all slots; there are at least two. */
const POOL_BYTES = 24 * 2 ** 20
const MAX_SLOTS = 64

/** Where the owners of slots stand, after the number of how often a slot was given back. */
const SCRATCH = 1
const FIRST = 2

/** The memory for large bodies that threads share. */
export interface BodySlotsMemory {
  /** Numbers of 32 bits: how often a slot was given back, then for each slot who has it, or 0. */
  readonly owners: SharedArrayBuffer
  readonly bytes: SharedArrayBuffer
  /** Bytes of a decoded body for which a slot has room. */
  readonly maxBody: number
}

/** Memory for one large body, coded or decoded. */
export interface BodySlot {
  readonly bytes: Buffer
  /** Frees the slot. Its bytes must not be used afterwards. */
  release(): void
}

/** Bytes of a coded body that are read: what doesn't compress gets longer by its coding, by less. */
export function codedLimit(maxBody: number): number {
  return maxBody + Math.ceil(maxBody / 100) + 1_024
}

/**
 * Memory for large bodies, in slots that all workers share. A worker takes one only when a body has arrived, so no
 * slot waits for a server. The slots bound what all large bodies take, and leave nothing to the garbage collector.
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

  /** Costs nothing as long as it isn't used: untouched pages of memory are never backed. */
  static allocate(maxBody: number): BodySlotsMemory {
    const slots = Math.min(MAX_SLOTS, Math.max(2, Math.floor(POOL_BYTES / maxBody)))
    return {
      owners: new SharedArrayBuffer((FIRST + slots) * Int32Array.BYTES_PER_ELEMENT),
      bytes: new SharedArrayBuffer((1 + slots) * codedLimit(maxBody)),
      maxBody,
    }
  }

  /** Takes a slot for a body, as soon as one is free. */
  take(): Promise<BodySlot> {
    return this.#takeOf(FIRST, this.#owners.length)
  }

  /**
   * The slot to decode in, as soon as it is free. Whoever has it waits for no other one, so all who
   * wait for it get their turn.
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
      const returns = Atomics.load(this.#owners, 0)
      for (let slot = from; slot < to; slot++) {
        const isFree = Atomics.compareExchange(this.#owners, slot, 0, this.#owner) === 0
        if (isFree) return this.#open(slot)
      }
      await Atomics.waitAsync(this.#owners, 0, returns).value
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
    Atomics.add(this.#owners, 0, 1)
    Atomics.notify(this.#owners, 0)
  }
}
