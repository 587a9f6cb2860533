/**
 * A count in shared memory that shows that a worker is alive: the worker raises it after each page and at each message.
 * If the count doesn't change, code blocks the worker's event loop, such as an endless loop in a hook.
 */
export class Pulse {
  readonly #beats: Int32Array

  constructor(memory: SharedArrayBuffer) {
    this.#beats = new Int32Array(memory)
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  }

  beat(): void {
    Atomics.add(this.#beats, 0, 1)
  }

  get beats(): number {
    return Atomics.load(this.#beats, 0)
  }
}
