import type { BodySlot } from '../../wire/body-slots.ts'
import { BodyPieces } from './body-pieces.ts'

/** Bytes up to which a body needs no slot. */
export const SMALL = 256 * 1_024

/** A body as it comes in. */
export class Body {
  readonly #pieces = new BodyPieces()
  #slot: BodySlot | undefined
  #length = 0

  /** Whether it has become too large to go on without a slot. */
  get needsSlot(): boolean {
    return this.#slot === undefined && this.#length > SMALL
  }

  add(piece: Buffer): void {
    if (this.#slot === undefined) this.#pieces.add(piece)
    else piece.copy(this.#slot.bytes, this.#length)
    this.#length += piece.length
  }

  /** Goes on in a slot; gives what has come so far. */
  moveTo(slot: BodySlot): Buffer {
    const pieces = this.#pieces.take()
    this.#slot = slot
    this.#length = 0
    for (const piece of pieces) this.add(piece)
    return slot.bytes.subarray(0, this.#length)
  }

  /** All of it, and the slot that it is in. */
  take(): { readonly body: Buffer; readonly slot: BodySlot | undefined } {
    const slot = this.#slot
    if (slot !== undefined) return { body: slot.bytes.subarray(0, this.#length), slot }
    const pieces = this.#pieces.take()
    const [first] = pieces
    const body = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces)
    return { body, slot }
  }
}
