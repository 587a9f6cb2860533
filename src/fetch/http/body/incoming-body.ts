import { createHash, type Hash } from 'node:crypto'
import { collectGarbage } from '../../../runtime/collect-garbage.ts'
import { BodyPieces } from './body-pieces.ts'
import type { BodyPlan } from './body-plan.ts'
import type { StoredBody } from './scratch-file.ts'

/** Bytes of an incoming body in memory; the rest of a larger one goes to a file. */
const SMALL = 256 * 1_024

const NO_BYTES: Buffer = Buffer.alloc(0)

/** A received body. */
export interface ReceivedBody {
  /** Empty if it was not kept, or is in a file. */
  readonly body: Buffer
  /** A large body in a file, to be released. */
  readonly stored: StoredBody | undefined
}

/** A body that is being received. */
export class IncomingBody {
  readonly plan: BodyPlan
  readonly #onEnough: () => void
  readonly #hash: Hash | undefined
  readonly #pieces = new BodyPieces()
  /** Bytes of the pieces. */
  #held = 0
  #stored: StoredBody | undefined
  #received = 0

  /** @param onEnough called when no more of the body is needed */
  constructor(plan: BodyPlan, onEnough: () => void) {
    this.plan = plan
    this.#onEnough = onEnough
    this.#hash = plan.digest && !plan.keep ? createHash('sha256') : undefined
  }

  /** Bytes received, up to the limit. */
  get received(): number {
    return this.#received
  }

  /**
   * SHA-256 of a body that was not kept, in hexadecimal, if the plan asks for it. To be read once, at the end.
   */
  get digest(): string | undefined {
    return this.#hash?.digest('hex')
  }

  /** Adds a chunk. Returns false if it exceeds the limit. */
  add(chunk: Buffer): boolean {
    const room = this.plan.limit - this.#received
    const piece = chunk.length > room ? chunk.subarray(0, room) : chunk
    this.#received += piece.length
    if (this.plan.keep) this.#keep(piece)
    this.#hash?.update(piece)
    if (this.#received > SMALL) noteGarbage(chunk.length)
    return chunk.length <= room
  }

  /** Returns the whole body. */
  take(): ReceivedBody {
    const stored = this.#stored
    const pieces = this.#takePieces()
    if (stored === undefined) return { body: joined(pieces), stored }
    for (const piece of pieces) stored.append(piece)
    return { body: NO_BYTES, stored }
  }

  drop(): void {
    this.#takePieces()
    this.#stored?.release()
  }

  #keep(piece: Buffer): void {
    const { scratch, isEnough } = this.plan
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
