import { createHash, type Hash } from 'node:crypto'
import { collectGarbage } from '../../../runtime/collect-garbage.ts'
import { BodyPieces } from './body-pieces.ts'
import type { ScratchFile, StoredBody } from './scratch-file.ts'

/** Bytes of an incoming body in memory; the rest of a larger one goes to a file. */
const SMALL = 256 * 1_024

/** How a body is read. */
export interface BodyPolicy {
  /** Bytes to read. */
  readonly limit: number
  /** True to keep them, not only to count them. */
  readonly keep: boolean
  /** True to digest a body that is not kept. */
  readonly digest: boolean
  /** The file for a large body until it has come; without it, in memory. */
  readonly scratch?: ScratchFile | undefined
  /** Returns whether the first bytes of a large body are enough. */
  readonly isEnough?: ((start: Buffer) => Promise<boolean>) | undefined
}

/** A received body, empty if it was not kept: in memory, or in a file, to be released. */
export type ReceivedBody =
  | { readonly body: Buffer; readonly stored?: undefined }
  | { readonly body?: undefined; readonly stored: StoredBody }

/** A body that is being received. */
export class IncomingBody {
  readonly #policy: BodyPolicy
  readonly #onEnough: () => void
  readonly #hash: Hash | undefined
  readonly #pieces = new BodyPieces()
  /** Bytes of the pieces. */
  #held = 0
  #stored: StoredBody | undefined
  #received = 0

  /** @param onEnough called when no more of the body is needed */
  constructor(policy: BodyPolicy, onEnough: () => void) {
    this.#policy = policy
    this.#onEnough = onEnough
    this.#hash = policy.digest && !policy.keep ? createHash('sha256') : undefined
  }

  /** Bytes received, up to the limit. */
  get received(): number {
    return this.#received
  }

  /**
   * SHA-256 of a body that was not kept, in hexadecimal, if the policy asks for it. To be read once, at the end.
   */
  get digest(): string | undefined {
    return this.#hash?.digest('hex')
  }

  /** Adds a chunk. Returns false if it exceeds the limit. */
  add(chunk: Buffer): boolean {
    const room = this.#policy.limit - this.#received
    const piece = chunk.length > room ? chunk.subarray(0, room) : chunk
    this.#received += piece.length
    if (this.#policy.keep) this.#keep(piece)
    this.#hash?.update(piece)
    if (this.#received > SMALL) noteGarbage(chunk.length)
    return chunk.length <= room
  }

  /** Returns the whole body. */
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
    const { scratch, isEnough } = this.#policy
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

/** Bytes of large bodies after which their buffers are worth collecting. */
const MUCH = 2 ** 20
let garbage = 0

/** Each read of a socket leaves a buffer behind. */
function noteGarbage(bytes: number): void {
  garbage += bytes
  if (garbage < MUCH) return
  garbage = 0
  collectGarbage('minor')
}
