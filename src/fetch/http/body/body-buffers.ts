/** Bytes of the smallest buffer. */
const SMALLEST = 32 * 1_024
/** Bytes of the largest buffer that is kept, and buffers that are kept: few bodies are read at a time. */
const LARGEST = 512 * 1_024
const MAX_KEPT = 8

/**
 * Buffers for the bodies of responses. Those that were given back are used again: V8 would look through its whole heap
 * whenever it has allocated a few megabytes of them, which is every few hundred pages.
 */
export class BodyBuffers {
  readonly #isReusing: boolean
  readonly #free: Buffer[] = []

  /** @param isReusing false if somebody may use a body after its release */
  constructor(isReusing: boolean) {
    this.#isReusing = isReusing
  }

  /** Returns a buffer of at least so many bytes. */
  take(bytes: number): Buffer {
    const index = this.#free.findIndex(({ length }) => length >= bytes)
    const [free] = index < 0 ? [] : this.#free.splice(index, 1)
    return free ?? Buffer.allocUnsafeSlow(sizeFor(bytes))
  }

  release(buffer: Buffer): void {
    const isKept = this.#isReusing && buffer.length <= LARGEST
    if (isKept && this.#free.length < MAX_KEPT) this.#free.push(buffer)
  }
}

function sizeFor(bytes: number): number {
  let size = SMALLEST
  while (size < bytes) size *= 2
  return size
}
