import { createHash, type Hash } from 'node:crypto'
import { collectGarbage } from '../../../runtime/collect-garbage.ts'
import { START_BYTES } from '../../image-kind.ts'
import type { BodyBuffers } from './body-buffers.ts'
import type { BodyPlan } from './body-plan.ts'
import type { StoredBody } from './scratch-file.ts'

/** Maximum bytes of an incoming body in memory. When a body is larger, its bytes are moved to a file. */
const MAX_IN_MEMORY = 256 * 1_024

const NO_BYTES: Buffer = Buffer.alloc(0)

/** A received body. */
export interface ReceivedBody {
  /** The body; empty if it was not kept or is in a file. */
  readonly body: Buffer
  /** A large body in a file, which must be released. */
  readonly stored: StoredBody | undefined
  /** Frees the memory of `body` for other bodies. */
  release(): void
}

/** A body that is being received. */
export class IncomingBody {
  readonly plan: BodyPlan
  readonly #buffers: BodyBuffers
  readonly #onExceeded: () => void
  readonly #hash: Hash | undefined
  /** Copies of the chunks, which the next read of a connection overwrites. */
  #bytes: Buffer | undefined
  /** Number of filled bytes in `#bytes`. */
  #held = 0
  /** Expected size in bytes. A wrong number only costs time. */
  readonly #expected: number
  #stored: StoredBody | undefined
  #received = 0
  /** The first bytes of a body that is not kept. */
  #start: Buffer | undefined

  /**
   * @param expected size in bytes, according to the header
   * @param onExceeded called when no more of the body is needed
   */
  constructor(plan: BodyPlan, expected: number, buffers: BodyBuffers, onExceeded: () => void) {
    this.plan = plan
    this.#expected = Math.min(expected, plan.limit, MAX_IN_MEMORY) || 0
    this.#buffers = buffers
    this.#onExceeded = onExceeded
    this.#hash = plan.digest && !plan.keep ? createHash('sha256') : undefined
    this.#start = plan.keepsStart && !plan.keep ? NO_BYTES : undefined
  }

  /** Bytes received, up to the limit. */
  get received(): number {
    return this.#received
  }

  /** The first bytes of a body that was not kept, if the plan requests them. */
  get start(): Buffer | undefined {
    return this.#start
  }

  /** Adds a chunk. Returns false if it exceeds the limit. */
  add(chunk: Buffer): boolean {
    const room = this.plan.limit - this.#received
    const piece = chunk.length > room ? chunk.subarray(0, room) : chunk
    this.#received += piece.length
    if (this.plan.keep) this.#keep(piece)
    this.#hash?.update(piece)
    if (this.#start !== undefined && this.#start.length < START_BYTES)
      this.#start = Buffer.concat([this.#start, piece]).subarray(0, START_BYTES)
    if (this.#received > MAX_IN_MEMORY) noteGarbage(chunk.length)
    return chunk.length <= room
  }

  /** Returns the SHA-256 of a body that was not kept, in hexadecimal, if the plan requests it. Only for one call. */
  takeDigest(): string | undefined {
    return this.#hash?.digest('hex')
  }

  /** Returns the whole body. */
  take(): ReceivedBody {
    const stored = this.#stored
    if (stored === undefined)
      return { body: this.#inMemory, stored, release: () => this.#release() }
    stored.append(this.#inMemory)
    this.#release()
    return { body: NO_BYTES, stored, release() {} }
  }

  drop(): void {
    this.#release()
    this.#stored?.release()
  }

  get #inMemory(): Buffer {
    return this.#bytes === undefined ? NO_BYTES : this.#bytes.subarray(0, this.#held)
  }

  #keep(piece: Buffer): void {
    const { scratch, exceedsMaxBody } = this.plan
    this.#append(piece)
    if (scratch === undefined || this.#held <= MAX_IN_MEMORY) return
    if (this.#stored === undefined && exceedsMaxBody !== undefined) {
      void exceedsMaxBody(Buffer.from(this.#inMemory)).then((isSo) => {
        if (isSo) this.#onExceeded()
      })
    }
    this.#stored ??= scratch.open()
    this.#stored.append(this.#inMemory)
    this.#held = 0
  }

  #append(piece: Buffer): void {
    const end = this.#held + piece.length
    const bytes =
      this.#bytes !== undefined && end <= this.#bytes.length ? this.#bytes : this.#grown(end)
    bytes.set(piece, this.#held)
    this.#held = end
  }

  /** Returns a larger buffer that contains the bytes in memory. */
  #grown(end: number): Buffer {
    const larger = this.#buffers.take(Math.max(end, this.#expected))
    larger.set(this.#inMemory)
    const former = this.#bytes
    this.#bytes = larger
    if (former !== undefined) this.#buffers.release(former)
    return larger
  }

  #release(): void {
    const bytes = this.#bytes
    this.#bytes = undefined
    if (bytes !== undefined) this.#buffers.release(bytes)
  }
}

/** Received bytes of large bodies after which a garbage collection is worthwhile. */
const GARBAGE_BYTES = 2 ** 20
let garbage = 0

/** Counts received bytes, since each read of a socket may leave a buffer to collect. */
function noteGarbage(bytes: number): void {
  garbage += bytes
  if (garbage < GARBAGE_BYTES) return
  garbage = 0
  collectGarbage('minor')
}
