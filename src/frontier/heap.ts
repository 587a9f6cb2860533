/** A binary heap: the entry with the least time first, each operation in logarithmic time. */
export class Heap<T> {
  readonly #entries: { readonly at: number; readonly value: T }[] = []

  /** Time of the first entry. */
  get firstAt(): number | undefined {
    return this.#entries[0]?.at
  }

  get size(): number {
    return this.#entries.length
  }

  push(at: number, value: T): void {
    const entries = this.#entries
    let index = entries.length
    const entry = { at, value }
    entries.push(entry)
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = entries[above]
      if (parent === undefined || parent.at <= at) break
      entries[index] = parent
      index = above
    }
    entries[index] = entry
  }

  /** Takes the first entry, if its time has come. */
  popDue(now: number): T | undefined {
    const first = this.#entries[0]
    if (first === undefined || first.at > now) return undefined
    const last = this.#entries.pop()
    if (last !== undefined && this.#entries.length > 0) this.#sink(last)
    return first.value
  }

  #sink(entry: { readonly at: number; readonly value: T }): void {
    const entries = this.#entries
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const right = left + 1
      const least =
        (entries[right]?.at ?? Infinity) < (entries[left]?.at ?? Infinity) ? right : left
      const child = entries[least]
      if (child === undefined || child.at >= entry.at) break
      entries[index] = child
      index = least
    }
    entries[index] = entry
  }
}
