/** A first-in, first-out queue with operations in constant time. */
export class Fifo<T> {
  #in: T[] = []
  #out: T[] = []

  get size(): number {
    return this.#in.length + this.#out.length
  }

  push(value: T): void {
    this.#in.push(value)
  }

  shift(): T | undefined {
    if (this.#out.length === 0) {
      this.#out = this.#in.reverse()
      this.#in = []
    }
    return this.#out.pop()
  }
}
