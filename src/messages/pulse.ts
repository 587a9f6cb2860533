/**
 * A count in shared memory that a worker raises while it gets on: after each page, and at each message that it takes
 * in. Where it stands still, code runs that does not pause, such as an endless loop of a hook.
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
