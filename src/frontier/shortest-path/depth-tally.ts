/** Depths that are looked up one by one. */
const NEAR = 16

/** Counts the unfinished URLs of each depth. */
export class DepthTally {
  readonly #counts = new Map<number, number>()
  #shallowest = Number.POSITIVE_INFINITY
  #total = 0

  get total(): number {
    return this.#total
  }

  /** The least depth of an unfinished URL: no new URL can be nearer. Infinite when all are finished. */
  get shallowest(): number {
    return this.#shallowest
  }

  /** Counts an unfinished URL, or several. */
  add(depth: number, count = 1): void {
    this.#counts.set(depth, (this.#counts.get(depth) ?? 0) + count)
    this.#total += count
    if (depth < this.#shallowest) this.#shallowest = depth
  }

  /** Counts a URL no longer: it is finished. */
  remove(depth: number): void {
    const left = (this.#counts.get(depth) ?? 0) - 1
    this.#total--
    if (left > 0) {
      this.#counts.set(depth, left)
      return
    }
    this.#counts.delete(depth)
    if (depth === this.#shallowest) this.#shallowest = this.#next(depth + 1)
  }

  /** Many depths may be open where URLs were deferred, but there are few gaps between them. */
  #next(depth: number): number {
    for (let each = depth; each < depth + NEAR; each++) if (this.#counts.has(each)) return each
    return Math.min(...this.#counts.keys())
  }
}
