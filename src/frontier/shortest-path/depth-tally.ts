/** Depths that are looked for one by one. */
const NEAR = 16

/** How many URLs of each depth are not finished. */
export class DepthTally {
  readonly #counts = new Map<number, number>()
  #shallowest = Number.POSITIVE_INFINITY
  #total = 0

  get total(): number {
    return this.#total
  }

  /** Nothing that is still to be discovered can be shallower than this; infinite when all is done. */
  get shallowest(): number {
    return this.#shallowest
  }

  /** Many depths may be open where URLs were deferred, but few in between are not. */
  #next(depth: number): number {
    for (let each = depth; each < depth + NEAR; each++) if (this.#counts.has(each)) return each
    return Math.min(...this.#counts.keys())
  }

  add(depth: number, count = 1): void {
    this.#counts.set(depth, (this.#counts.get(depth) ?? 0) + count)
    this.#total += count
    if (depth < this.#shallowest) this.#shallowest = depth
  }

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
}
