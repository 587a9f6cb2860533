/** Number of places for hrefs, a power of 2. Two hrefs that hash to the same place replace each other. */
const PLACES = 2 ** 14
/** Bytes of cached hrefs; a full cache is cleared. */
const MAX_BYTES = 2 ** 21

const HASH = 0x23
const AMPERSAND = 0x26
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/**
 * Caches the targets of hrefs. The key consists of the bytes of the href up to its fragment, and of the id of the base
 * that the href is resolved against. Like the cache of a processor, it has one place per hash (FNV-1a) and no list of
 * collisions to search. So no page can make lookups slow.
 */
export class HrefCache<Target extends object> {
  readonly #bytes = new Uint8Array(MAX_BYTES)
  #used = 0
  readonly #starts = new Int32Array(PLACES)
  readonly #lengths = new Int32Array(PLACES)
  readonly #baseIds = new Int32Array(PLACES)
  readonly #targets: (Target | undefined)[] = new Array(PLACES).fill(undefined)
  /** The place and end of the href of the last call of `find`. */
  #place = 0
  #end = 0

  /** Returns the target of the href in `page` from `start` to `end`; undefined if it is not cached. */
  find(page: Uint8Array, start: number, end: number, baseId: number): Target | undefined {
    this.#locate(page, start, end, baseId)
    const place = this.#place
    const target = this.#targets[place]
    if (target === undefined || this.#baseIds[place] !== baseId) return undefined
    const length = this.#lengths[place] ?? 0
    if (length !== this.#end - start) return undefined
    const from = this.#starts[place] ?? 0
    for (let i = 0; i < length; i++) if (this.#bytes[from + i] !== page[start + i]) return undefined
    return target
  }

  /** Caches the target of the href of the last call of `find`. */
  keep(page: Uint8Array, start: number, baseId: number, target: Target): void {
    const length = this.#end - start
    if (length > MAX_BYTES / 2) return
    if (this.#used + length > MAX_BYTES) this.clear()
    this.#bytes.set(page.subarray(start, this.#end), this.#used)
    this.#starts[this.#place] = this.#used
    this.#lengths[this.#place] = length
    this.#baseIds[this.#place] = baseId
    this.#targets[this.#place] = target
    this.#used += length
  }

  clear(): void {
    this.#targets.fill(undefined)
    this.#used = 0
  }

  /**
   * Finds the place of an href. A `#` after an `&` may be part of a character reference, so the rest of that href is
   * part of the key.
   */
  #locate(page: Uint8Array, start: number, end: number, baseId: number): void {
    let hash = FNV_OFFSET ^ baseId
    let isCut = true
    let at = start
    for (; at < end; at++) {
      const byte = page[at] ?? 0
      if (byte === AMPERSAND) isCut = false
      if (byte === HASH && isCut) break
      hash = Math.imul(hash ^ byte, FNV_PRIME)
    }
    this.#end = at
    this.#place = (hash ^ (hash >>> 15)) & (PLACES - 1)
  }
}
