import { deflateStreamOf, isGzip } from '../../../compressed-files/gzip-header.ts'
import { codeOf } from '../../../errors.ts'
import type { BodySlot } from '../../../runtime/shared-body-memory.ts'
import { FetchFailure } from '../../fetch-failure.ts'
import { DECODERS, type Decoder, inflateRaw } from './decompressors.ts'

/** Maximum number of codings applied to a body; no honest server uses more. */
const MAX_CODINGS = 4

/** Maximum decoded bytes per coded byte, for bodies beyond `SMALL`: pages reach 50, bombs 1,000 and more. */
const MAX_RATIO = 250

/** Maximum decoded bytes of a body that is decoded on the heap, without memory from `takeRoom`. */
const SMALL = 2 ** 20

export interface DecodedBody {
  readonly body: Buffer
  /** True if the decoded body is longer than `maxBytes`, or than honest servers make of so few coded bytes. */
  readonly truncated: boolean
  /** True if the coded data ends too early. */
  readonly endsEarly: boolean
}

/** Memory to decode a large body in, and for the result: at least `maxBytes` each. */
interface DecodingMemory {
  readonly scratch: BodySlot
  readonly slot: BodySlot
}

interface DecodeOptions {
  /** True if the coded body is known to be incomplete. Its early end is not reported then. */
  readonly isPart: boolean
  readonly takeRoom: TakeRoom
}

type TakeRoom = () => Promise<DecodingMemory>

/**
 * Undoes the codings of a Content-Encoding header (RFC 9110, 8.4), last applied first. For a stream that ends early,
 * returns the decoded part, as browsers do.
 * @throws FetchFailure('invalid-content-coding')
 */
export async function decodeContent(
  coded: Buffer,
  header: string,
  maxBytes: number,
  { isPart = false, takeRoom = roomOnHeap(maxBytes) }: Partial<DecodeOptions> = {},
): Promise<DecodedBody> {
  const codings = header.split(',', MAX_CODINGS + 1).map((name) => name.trim().toLowerCase())
  if (codings.length > MAX_CODINGS) throw invalid(`${header}: too many content codings`)
  let decoded: DecodedBody = { body: coded, truncated: false, endsEarly: false }
  for (const coding of codings.reverse()) {
    const { body, truncated, endsEarly } = decoded
    const limit = Math.min(maxBytes, Math.max(SMALL, MAX_RATIO * body.length))
    const means = { isPart: isPart || truncated || endsEarly, takeRoom }
    const next = await undo(coding, body, limit, means)
    decoded = {
      body: next.body,
      truncated: truncated || next.truncated,
      endsEarly: endsEarly || next.endsEarly,
    }
  }
  return decoded
}

async function undo(
  coding: string,
  body: Buffer,
  maxBytes: number,
  means: DecodeOptions,
): Promise<DecodedBody> {
  const choose = DECODERS.get(coding)
  if (choose === undefined) throw invalid(`unknown content coding ${JSON.stringify(coding)}`)
  if (choose === 'identity' || body.length === 0) {
    return { body, truncated: false, endsEarly: false }
  }
  try {
    return await decodeWith(choose(body), body, maxBytes, means)
  } catch (error) {
    throw invalid(`invalid ${coding} body: ${(error as Error).message}`)
  }
}

async function decodeWith(
  decoder: Decoder,
  body: Buffer,
  maxBytes: number,
  means: DecodeOptions,
): Promise<DecodedBody> {
  try {
    return await decode(decoder, body, maxBytes, means)
  } catch (error) {
    if (isCutShort(error) && !means.isPart) {
      const decoded = await decodeWith(decoder, body, maxBytes, { ...means, isPart: true })
      return { ...decoded, endsEarly: true }
    }
    if (!hasTrailingBytes(error, body)) throw error
    return decodeWith(inflateRaw, deflateStreamOf(body), maxBytes, means)
  }
}

async function decode(
  decoder: Decoder,
  body: Buffer,
  maxBytes: number,
  { isPart, takeRoom }: DecodeOptions,
): Promise<DecodedBody> {
  const streams = decoder.split(body)
  try {
    if (streams.length === 1) {
      const whole = decoder.all(body, Math.min(maxBytes, SMALL), isPart)
      return { body: whole, truncated: false, endsEarly: false }
    }
  } catch (error) {
    if (!isTooLarge(error)) throw error
  }
  const { scratch, slot } = await takeRoom()
  try {
    const room = scratch.bytes.subarray(0, maxBytes)
    const { size, truncated } = await decodeInto(room, decoder, streams, isPart)
    const decoded = slot.bytes.subarray(0, room.copy(slot.bytes, 0, 0, size))
    return { body: decoded, truncated, endsEarly: false }
  } finally {
    scratch.release()
  }
}

function roomOnHeap(size: number): () => Promise<DecodingMemory> {
  const allocate = () => ({ bytes: Buffer.alloc(size), release() {} })
  return async () => ({ scratch: allocate(), slot: allocate() })
}

function isTooLarge(error: unknown): boolean {
  return codeOf(error) === 'ERR_BUFFER_TOO_LARGE'
}

function isCutShort(error: unknown): boolean {
  return codeOf(error) === 'Z_BUF_ERROR'
}

/** Returns whether a complete gzip stream is followed by bytes that aren't another member. Browsers ignore them. */
function hasTrailingBytes(error: unknown, body: Buffer): boolean {
  return error instanceof Error && error.message === 'incorrect header check' && isGzip(body)
}

function invalid(message: string): FetchFailure {
  return new FetchFailure('invalid-content-coding', message, false)
}

interface Filled {
  readonly size: number
  readonly truncated: boolean
}

/** Decodes streams into `room`, one after another, until it is full. */
async function decodeInto(
  room: Buffer,
  decoder: Decoder,
  streams: readonly Buffer[],
  isPart: boolean,
): Promise<Filled> {
  let size = 0
  for (const coded of streams) {
    const filled = await fill(room.subarray(size), decoder.stream(isPart), coded)
    size += filled.size
    if (filled.truncated) return { size, truncated: true }
  }
  return { size, truncated: false }
}

function fill(room: Buffer, stream: ReturnType<Decoder['stream']>, coded: Buffer): Promise<Filled> {
  const { promise, resolve, reject } = Promise.withResolvers<Filled>()
  let size = 0
  const finish = (truncated: boolean) => {
    stream.destroy()
    resolve({ size, truncated })
  }
  stream.on('end', () => finish(false)).on('error', reject)
  stream.on('data', (chunk: Buffer) => {
    const isTooLong = size + chunk.length > room.length
    size += chunk.copy(room, size)
    if (isTooLong) finish(true)
  })
  stream.end(coded)
  return promise
}
