interface HeapEntry<T> {
  readonly at: number
  readonly value: T
}

/** A binary heap ordered by time: the earliest entry first, each operation in logarithmic time. */
export class Heap<T> {
  readonly #entries: HeapEntry<T>[] = []

  /** Time of the first entry. */
  get firstAt(): number | undefined {
    return this.#entries[0]?.at
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

  /** Returns all entries, in no particular order. */
  values(): Iterable<HeapEntry<T>> {
    return this.#entries
  }

  /** Removes and returns the values that match, in linear time. */
  extract(matches: (value: T, at: number) => boolean): T[] {
    const extracted: T[] = []
    for (const { at, value } of this.#entries.splice(0)) {
      if (matches(value, at)) extracted.push(value)
      else this.push(at, value)
    }
    return extracted
  }

  /** Removes and returns the first entry if it is due. */
  popDue(now: number): HeapEntry<T> | undefined {
    const first = this.#entries[0]
    if (first === undefined || first.at > now) return undefined
    const last = this.#entries.pop()
    if (last !== undefined && this.#entries.length > 0) this.#sink(last)
    return first
  }

  #sink(entry: HeapEntry<T>): void {
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
