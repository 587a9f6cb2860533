import { createHash, type Hash } from 'node:crypto'
import { collectGarbage } from '../../../runtime/collect-garbage.ts'
import { BodyPieces } from './body-pieces.ts'
import type { ScratchFile, StoredBody } from './scratch-file.ts'

/** Bytes of a body that are in memory while it comes in; of a larger one all but the last lie in a file. */
const SMALL = 256 * 1_024

/** What is to be done with a body. */
export interface BodyPolicy {
  /** Bytes that are read. */
  readonly limit: number
  /** Whether they are kept, not only counted. */
  readonly keep: boolean
  /** Whether one that is not kept is digested as it goes by. */
  readonly digest: boolean
  /** Where a large body lies until it has come; without it, in memory. */
  readonly scratch?: ScratchFile | undefined
  /** Whether the first bytes of a large body are all that is needed of it. */
  readonly isEnough?: ((start: Buffer) => Promise<boolean>) | undefined
}

/** A body that has come in, empty if it was not kept: in memory, or in a file, to be released. */
export type ReceivedBody =
  | { readonly body: Buffer; readonly stored?: undefined }
  | { readonly body?: undefined; readonly stored: StoredBody }

/** A body as it comes in. */
export class IncomingBody {
  readonly #wish: BodyPolicy
  readonly #onEnough: () => void
  readonly #hash: Hash | undefined
  readonly #pieces = new BodyPieces()
  /** Bytes of the pieces. */
  #held = 0
  #stored: StoredBody | undefined
  #received = 0

  /** @param onEnough called when no more of it is needed */
  constructor(wish: BodyPolicy, onEnough: () => void) {
    this.#wish = wish
    this.#onEnough = onEnough
    this.#hash = wish.digest && !wish.keep ? createHash('sha256') : undefined
  }

  /** Bytes received, up to the limit. */
  get received(): number {
    return this.#received
  }

  /**
   * SHA-256 of a body that was not kept, in hexadecimal, where it was wanted. To be asked for once, at its
   * end.
   */
  get digest(): string | undefined {
    return this.#hash?.digest('hex')
  }

  /** Takes what has come; false when that is more than is wanted. */
  add(chunk: Buffer): boolean {
    const room = this.#wish.limit - this.#received
    const piece = chunk.length > room ? chunk.subarray(0, room) : chunk
    this.#received += piece.length
    if (this.#wish.keep) this.#keep(piece)
    this.#hash?.update(piece)
    if (this.#received > SMALL) noteGarbage(chunk.length)
    return chunk.length <= room
  }

  /** Gives all of it. */
  take(): ReceivedBody {
    const stored = this.#stored
    const pieces = this.#takePieces()
    if (stored === undefined) return { body: joined(pieces) }
    for (const piece of pieces) stored.append(piece)
    return { stored }
  }

  drop(): void {
    this.#takePieces()
    this.#stored?.release()
  }

  #keep(piece: Buffer): void {
    const { scratch, isEnough } = this.#wish
    this.#pieces.add(piece)
    this.#held += piece.length
    if (scratch === undefined || this.#held <= SMALL) return
    const pieces = this.#takePieces()
    if (this.#stored === undefined && isEnough !== undefined) {
      isEnough(joined(pieces)).then((isSo) => isSo && this.#onEnough())
    }
    this.#stored ??= scratch.open()
    for (const each of pieces) this.#stored.append(each)
  }

  #takePieces(): readonly Buffer[] {
    this.#held = 0
    return this.#pieces.take()
  }
}

function joined(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces
  return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces)
}

/** Bytes of large bodies after which the buffers that they came in are worth collecting. */
const MUCH = 2 ** 20
let garbage = 0

/** Each read of a socket leaves a buffer behind. */
function noteGarbage(bytes: number): void {
  garbage += bytes
  if (garbage < MUCH) return
  garbage = 0
  collectGarbage('minor')
}
