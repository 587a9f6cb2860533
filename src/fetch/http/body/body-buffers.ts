/** Bytes of the smallest buffer. */
const SMALLEST = 32 * 1_024
/** Bytes of the largest buffer that is kept, and the maximum number of kept buffers. Few bodies are read at a time. */
const LARGEST = 512 * 1_024
const MAX_KEPT = 8

/**
 * Buffers for the bodies of responses. Released buffers are used again. Otherwise V8 would run a major garbage
 * collection after each few megabytes of buffers, which is every few hundred pages.
 */
export class BodyBuffers {
  readonly #isReusing: boolean
  readonly #free: Buffer[] = []

  /** @param isReusing false if a body may be used after its release */
  constructor(isReusing: boolean) {
    this.#isReusing = isReusing
  }

  /** Returns a buffer of at least `bytes` bytes. */
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
