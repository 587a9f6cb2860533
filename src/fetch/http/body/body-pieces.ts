/** Pieces of this size are kept, smaller ones copied. */
const LARGE = 16_384
const BLOCK = 65_536
const NO_BLOCK: Buffer = Buffer.alloc(0)

/**
 * Gathers a body. A server may send it byte by byte, and each byte in a Buffer of its own takes 170
 * bytes, or holds the 64 KiB that the socket read with it: small pieces are copied together.
 */
export class BodyPieces {
  #pieces: Buffer[] = []
  #block = NO_BLOCK
  /** The filled part of the block that is not among the pieces yet. */
  #start = 0
  #end = 0

  add(piece: Buffer): void {
    // The first is often the only one.
    if (piece.length >= LARGE || (this.#pieces.length === 0 && this.#end === 0)) {
      this.#seal()
      this.#pieces.push(piece)
      return
    }
    if (piece.length > this.#block.length - this.#end) this.#renew()
    this.#end += piece.copy(this.#block, this.#end)
  }

  /** Removes and returns all pieces, in order. */
  take(): readonly Buffer[] {
    this.#seal()
    const pieces = this.#pieces
    this.#pieces = []
    return pieces
  }

  #seal(): void {
    if (this.#end > this.#start) this.#pieces.push(this.#block.subarray(this.#start, this.#end))
    this.#start = this.#end
  }

  #renew(): void {
    this.#seal()
    this.#block = Buffer.allocUnsafeSlow(BLOCK)
    this.#start = this.#end = 0
  }
}
