import zlib from 'node:zlib'
import type { BodySlot } from '../../wire/body-slots.ts'
import { FetchFailure } from './fetch-failure.ts'
import { deflateStreamOf, isGzip } from './gzip-member.ts'

/** What we say we take (RFC 9110, 12.5.3). */
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd'

/** Codings applied one after another; more than this is no honest server. */
const MAX_CODINGS = 4

/** Bytes that a coded byte may become, beyond what is small: pages reach 50, bombs 1,000 and more. */
const MAX_RATIO = 250

/** Decoded bytes up to which a body needs no room of its own. */
const SMALL = 2 ** 20

export interface DecodedBody {
  readonly body: Buffer
  /** There was more than `maxBytes`, or than is made of so few bytes by honest servers. */
  readonly truncated: boolean
}

/** Where a large body is decoded, and where the result goes: room for `maxBytes` each. */
interface Room {
  readonly scratch: BodySlot
  readonly slot: BodySlot
}

type TakeRoom = () => Promise<Room>

/**
 * Undoes the codings of a Content-Encoding header (RFC 9110, 8.4), last applied first. A stream
 * that was cut short gives what can be had of it, as in browsers.
 * @throws FetchFailure('invalid-content-coding')
 */
export async function decodeContent(
  coded: Buffer,
  header: string,
  maxBytes: number,
  takeRoom: TakeRoom = async () => ({ scratch: onHeap(maxBytes), slot: onHeap(maxBytes) }),
): Promise<DecodedBody> {
  const codings = header.split(',', MAX_CODINGS + 1).map((name) => name.trim().toLowerCase())
  if (codings.length > MAX_CODINGS) throw invalid(`${header}: too many content codings`)
  let decoded: DecodedBody = { body: coded, truncated: false }
  for (const coding of codings.reverse()) {
    const limit = Math.min(maxBytes, Math.max(SMALL, MAX_RATIO * decoded.body.length))
    const { body, truncated } = await undo(coding, decoded.body, limit, takeRoom)
    decoded = { body, truncated: truncated || decoded.truncated }
  }
  return decoded
}

async function undo(
  coding: string,
  body: Buffer,
  maxBytes: number,
  takeRoom: TakeRoom,
): Promise<DecodedBody> {
  const choose = DECODERS.get(coding)
  if (choose === undefined) throw invalid(`unknown content coding ${JSON.stringify(coding)}`)
  if (choose === 'identity' || body.length === 0) return { body, truncated: false }
  const decoder = choose(body)
  try {
    return { body: decoder.all(body, Math.min(maxBytes, SMALL)), truncated: false }
  } catch (error) {
    if (!isTooLarge(error)) return repaired(error, coding, body, maxBytes, takeRoom)
  }
  const { scratch, slot } = await takeRoom()
  try {
    const room = scratch.bytes.subarray(0, maxBytes)
    const { body: decoded, truncated } = await decodeInto(room, decoder.stream(), body)
    return { body: slot.bytes.subarray(0, decoded.copy(slot.bytes)), truncated }
  } catch (error) {
    return repaired(error, coding, body, maxBytes, takeRoom)
  } finally {
    scratch.release()
  }
}

function onHeap(size: number): BodySlot {
  return { bytes: Buffer.alloc(size), release() {} }
}

/** Browsers ignore what comes after a gzip stream, such as the debug output of a server. */
function repaired(
  error: unknown,
  coding: string,
  body: Buffer,
  maxBytes: number,
  takeRoom: TakeRoom,
): Promise<DecodedBody> {
  if (isTrailed(error, body)) return undo('deflate', deflateStreamOf(body), maxBytes, takeRoom)
  throw invalid(`invalid ${coding} body: ${(error as Error).message}`)
}

interface Decoder {
  /** All at once: several times faster than a stream for a page. */
  all(body: Buffer, maxBytes: number): Buffer
  stream(): NodeJS.ReadWriteStream & { destroy(): void }
}

const FLUSH = { finishFlush: zlib.constants.Z_SYNC_FLUSH }
const BROTLI_FLUSH = { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }
const ZSTD_FLUSH = { finishFlush: zlib.constants.ZSTD_e_flush }

const gzip: Decoder = {
  all: (body, maxOutputLength) => zlib.gunzipSync(body, { ...FLUSH, maxOutputLength }),
  stream: () => zlib.createGunzip(FLUSH),
}
const inflate: Decoder = {
  all: (body, maxOutputLength) => zlib.inflateSync(body, { ...FLUSH, maxOutputLength }),
  stream: () => zlib.createInflate(FLUSH),
}
const inflateRaw: Decoder = {
  all: (body, maxOutputLength) => zlib.inflateRawSync(body, { ...FLUSH, maxOutputLength }),
  stream: () => zlib.createInflateRaw(FLUSH),
}
const brotli: Decoder = {
  all: (body, maxOutputLength) =>
    zlib.brotliDecompressSync(body, { ...BROTLI_FLUSH, maxOutputLength }),
  stream: () => zlib.createBrotliDecompress(BROTLI_FLUSH),
}
const zstd: Decoder = {
  all: (body, maxOutputLength) => zlib.zstdDecompressSync(body, { ...ZSTD_FLUSH, maxOutputLength }),
  stream: () => zlib.createZstdDecompress(ZSTD_FLUSH),
}

// "deflate" means the zlib format, but some servers send the bare one: its first byte tells.
const deflate = (body: Buffer) => (((body[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)

type Choice = ((body: Buffer) => Decoder) | 'identity'

const DECODERS: ReadonlyMap<string, Choice> = new Map<string, Choice>([
  ['gzip', () => gzip],
  ['x-gzip', () => gzip],
  ['deflate', deflate],
  ['br', () => brotli],
  ['zstd', () => zstd],
  ['identity', 'identity'],
  ['', 'identity'],
])

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}

/** Whether the stream was whole, and what follows it is not the next one. */
function isTrailed(error: unknown, body: Buffer): boolean {
  return error instanceof Error && error.message === 'incorrect header check' && isGzip(body)
}

function invalid(message: string): FetchFailure {
  return new FetchFailure('invalid-content-coding', message, false)
}

/** What a stream gives, or as much of it as there is room for. */
function decodeInto(
  room: Buffer,
  stream: ReturnType<Decoder['stream']>,
  coded: Buffer,
): Promise<DecodedBody> {
  const { promise, resolve, reject } = Promise.withResolvers<DecodedBody>()
  let size = 0
  const finish = (truncated: boolean) => {
    stream.destroy()
    resolve({ body: room.subarray(0, size), truncated })
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
