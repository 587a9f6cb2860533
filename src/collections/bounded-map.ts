/** A map of at most `max` entries. A key that is set again becomes the newest. A full map evicts its oldest entry. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #max: number

  constructor(max: number) {
    super()
    this.#max = max
  }

  override set(key: K, value: V): this {
    this.delete(key)
    const oldest = this.keys().next()
    if (this.size >= this.#max && !oldest.done) this.delete(oldest.value)
    return super.set(key, value)
  }
}
