/** A map of at most `max` entries. An entry that is set again counts as new; the oldest is dropped for one too many. */
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
