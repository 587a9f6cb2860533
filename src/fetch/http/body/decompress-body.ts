import { finished } from 'node:stream/promises'
import {
  deflateStreamOf,
  GZIP_TRAILER,
  isGzip,
  mayBeGzipMember,
} from '../../../compressed-files/gzip-header.ts'
import { codeOf, messageOf } from '../../../errors.ts'
import type { BodySlot } from '../../../runtime/shared-body-memory.ts'
import { FetchFailure } from '../../fetch-failure.ts'
import { DECODERS, type Decoder, inflateRaw, UNSUPPORTED } from './decompressors.ts'

/** Maximum number of codings applied to a body; no honest server uses more. */
const MAX_CODINGS = 4

/** Maximum decoded bytes per coded byte, for bodies beyond `SMALL`: pages reach 50, bombs 1,000 and more. */
const MAX_RATIO = 250

/** Maximum decoded bytes of a body that is decoded on the heap, without memory from `takeMemory`. */
const SMALL = 2 ** 20

/** Maximum gzip members before other bytes. Finding the ends of this many takes a twentieth of a second. */
const MAX_MEMBERS = 200

/** Messages of zlib for bytes that don't begin a gzip member. */
const INVALID_HEADER =
  /^(?:incorrect header check|unknown (?:compression method|header flags set))$/

/** Messages of zlib for a wrong trailer of a gzip member. */
const INVALID_TRAILER = /^incorrect (?:data|length) check$/

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
  readonly takeMemory: () => Promise<DecodingMemory>
}

/**
 * Undoes the codings of a Content-Encoding header (RFC 9110, 8.4), last applied first. For a stream that ends early,
 * returns the decoded part, as browsers do.
 * @throws FetchFailure('invalid-content-coding')
 */
export async function decodeContent(
  coded: Buffer,
  header: string,
  maxBytes: number,
  { isPart = false, takeMemory = memoryOnHeap(maxBytes) }: Partial<DecodeOptions> = {},
): Promise<DecodedBody> {
  const codings = header.split(',', MAX_CODINGS + 1).map((name) => name.trim().toLowerCase())
  if (codings.length > MAX_CODINGS) throw invalid(`too many content codings: ${header}`)
  let decoded: DecodedBody = { body: coded, truncated: false, endsEarly: false }
  for (const coding of codings.reverse()) {
    const { body, truncated, endsEarly } = decoded
    const limit = Math.min(maxBytes, Math.max(SMALL, MAX_RATIO * body.length))
    const options = { isPart: isPart || truncated || endsEarly, takeMemory }
    const next = await undo(coding, body, limit, options)
    decoded = {
      body: next.body,
      truncated: truncated || next.truncated,
      endsEarly: endsEarly || next.endsEarly,
    }
  }
  // More is read of a body with a coding, which may be `identity`.
  const body = decoded.body.subarray(0, maxBytes)
  return { ...decoded, body, truncated: decoded.truncated || body.length < decoded.body.length }
}

async function undo(
  coding: string,
  body: Buffer,
  maxBytes: number,
  options: DecodeOptions,
): Promise<DecodedBody> {
  if (UNSUPPORTED.has(coding)) throw invalid(`unsupported content coding ${coding}`)
  const choose = DECODERS.get(coding)
  if (choose === undefined || body.length === 0) {
    return { body, truncated: false, endsEarly: false }
  }
  // Node can't decode to 0 bytes.
  if (maxBytes === 0) return { body: body.subarray(0, 0), truncated: true, endsEarly: false }
  try {
    return await decodeWith(choose(body), body, maxBytes, options)
  } catch (error) {
    throw invalid(`invalid ${coding} body: ${messageOf(error)}`)
  }
}

async function decodeWith(
  decoder: Decoder,
  body: Buffer,
  maxBytes: number,
  options: DecodeOptions,
): Promise<DecodedBody> {
  try {
    return await decode(decoder, body, maxBytes, options)
  } catch (error) {
    if (isCutShort(error) && !options.isPart) {
      const decoded = await decodeWith(decoder, body, maxBytes, { ...options, isPart: true })
      return { ...decoded, endsEarly: true }
    }
    if (hasWrongTrailer(error, body) && !options.isPart) {
      const bare = body.subarray(0, -GZIP_TRAILER)
      return decodeWith(decoder, bare, maxBytes, { ...options, isPart: true })
    }
    if (!hasTrailingBytes(error, body)) throw error
    const members = await gzipMembers(body)
    if (members.length === 0 || members.length >= body.length) throw error
    return decodeWith(decoder, members, maxBytes, options)
  }
}

/** Returns the gzip members at the start of a body, without the bytes after them; nothing if there are too many. */
async function gzipMembers(body: Buffer): Promise<Buffer> {
  let end = 0
  for (let members = 0; members < MAX_MEMBERS; members++) {
    const rest = body.subarray(end)
    if (!mayBeGzipMember(rest)) return body.subarray(0, end)
    const deflated = deflateStreamOf(rest)
    const stream = inflateRaw.stream(false)
    const isComplete = await finished(stream.end(deflated).resume()).then(
      () => true,
      () => false,
    )
    if (!isComplete) return body.subarray(0, end)
    end += rest.length - deflated.length + stream.bytesWritten + GZIP_TRAILER
  }
  return body.subarray(0, 0)
}

async function decode(
  decoder: Decoder,
  body: Buffer,
  maxBytes: number,
  { isPart, takeMemory }: DecodeOptions,
): Promise<DecodedBody> {
  const streams = decoder.split(body, isPart)
  try {
    if (streams.length === 1) {
      const whole = decoder.all(body, Math.min(maxBytes, SMALL), isPart)
      return { body: whole, truncated: false, endsEarly: false }
    }
  } catch (error) {
    if (!isTooLarge(error)) throw error
  }
  const { scratch, slot } = await takeMemory()
  try {
    const target = scratch.bytes.subarray(0, maxBytes)
    const { size, truncated } = await decodeInto(target, decoder, streams, isPart)
    const decoded = slot.bytes.subarray(0, target.copy(slot.bytes, 0, 0, size))
    return { body: decoded, truncated, endsEarly: false }
  } finally {
    scratch.release()
  }
}

function memoryOnHeap(size: number): DecodeOptions['takeMemory'] {
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
  return INVALID_HEADER.test(messageOf(error)) && isGzip(body)
}

/** Returns whether a gzip stream has a wrong checksum or length. Browsers don't check them. */
function hasWrongTrailer(error: unknown, body: Buffer): boolean {
  return INVALID_TRAILER.test(messageOf(error)) && isGzip(body)
}

function invalid(message: string): FetchFailure {
  return new FetchFailure('invalid-content-coding', message, 'permanent')
}

interface Filled {
  readonly size: number
  readonly truncated: boolean
}

/** Decodes streams into `target`, one after another, until it is full. */
async function decodeInto(
  target: Buffer,
  decoder: Decoder,
  streams: readonly Buffer[],
  isPart: boolean,
): Promise<Filled> {
  let size = 0
  for (const coded of streams) {
    const filled = await fill(target.subarray(size), decoder.stream(isPart), coded)
    size += filled.size
    if (filled.truncated) return { size, truncated: true }
  }
  return { size, truncated: false }
}

function fill(
  target: Buffer,
  stream: ReturnType<Decoder['stream']>,
  coded: Buffer,
): Promise<Filled> {
  const { promise, resolve, reject } = Promise.withResolvers<Filled>()
  let size = 0
  const finish = (truncated: boolean) => {
    stream.destroy()
    resolve({ size, truncated })
  }
  stream.on('end', () => finish(false)).on('error', reject)
  stream.on('data', (chunk: Buffer) => {
    const isTooLong = size + chunk.length > target.length
    size += chunk.copy(target, size)
    if (isTooLong) finish(true)
  })
  stream.end(coded)
  return promise
}
