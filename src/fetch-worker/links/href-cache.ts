/** Hrefs that have a place, a power of 2: two that need the same one take it from each other. */
const PLACES = 2 ** 14
/** Bytes of hrefs that are kept; when they are full all are forgotten. */
const ROOM = 2 ** 21

const HASH = 0x23
const AMPERSAND = 0x26
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/**
 * Remembers where hrefs led, by their bytes as they stand in a page, up to their fragment; each belongs
 * to a reach, within which the same bytes lead to the same place. Made like the cache of a processor: a
 * place for each hash (FNV-1a), and no list to go through, whatever a page names.
 */
export class HrefMemory<Target extends object> {
  readonly #bytes = new Uint8Array(ROOM)
  #used = 0
  readonly #starts = new Int32Array(PLACES)
  readonly #lengths = new Int32Array(PLACES)
  readonly #reaches = new Int32Array(PLACES)
  readonly #targets: (Target | undefined)[] = new Array(PLACES).fill(undefined)
  /** Of what was asked for last: `keep` is about the same. */
  #place = 0
  #end = 0

  /** Where the href in `page` from `start` to `end` leads, if it is known. */
  find(page: Uint8Array, start: number, end: number, reach: number): Target | undefined {
    this.#look(page, start, end, reach)
    const place = this.#place
    const target = this.#targets[place]
    if (target === undefined || this.#reaches[place] !== reach) return undefined
    const length = this.#lengths[place] ?? 0
    if (length !== this.#end - start) return undefined
    const from = this.#starts[place] ?? 0
    for (let i = 0; i < length; i++) if (this.#bytes[from + i] !== page[start + i]) return undefined
    return target
  }

  /** Remembers what `find` was asked for last, and did not know. */
  keep(page: Uint8Array, start: number, reach: number, target: Target): void {
    const length = this.#end - start
    if (length > ROOM / 2) return
    if (this.#used + length > ROOM) this.clear()
    this.#bytes.set(page.subarray(start, this.#end), this.#used)
    this.#starts[this.#place] = this.#used
    this.#lengths[this.#place] = length
    this.#reaches[this.#place] = reach
    this.#targets[this.#place] = target
    this.#used += length
  }

  clear(): void {
    this.#targets.fill(undefined)
    this.#used = 0
  }

  /** A `#` after an `&` may be a part of a character reference: then the fragment counts as well. */
  #look(page: Uint8Array, start: number, end: number, reach: number): void {
    let hash = FNV_OFFSET ^ reach
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
