/** Number of depths that are tried one by one, before all are searched. */
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

  /** Counts one unfinished URL, or several. */
  add(depth: number, count = 1): void {
    this.#counts.set(depth, (this.#counts.get(depth) ?? 0) + count)
    this.#total += count
    if (depth < this.#shallowest) this.#shallowest = depth
  }

  /** Stops counting a URL: it is finished. */
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

  /**
   * Returns the least depth of an unfinished URL, from `depth` on. If URLs were deferred, many depths may have
   * unfinished URLs, but there are few gaps between these depths. So the nearest depths are tried first.
   */
  #next(depth: number): number {
    for (let each = depth; each < depth + NEAR; each++) if (this.#counts.has(each)) return each
    let least = Number.POSITIVE_INFINITY
    for (const each of this.#counts.keys()) least = Math.min(least, each)
    return least
  }
}
