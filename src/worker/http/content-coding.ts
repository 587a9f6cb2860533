import zlib from 'node:zlib'
import { FetchFailure } from './fetch-failure.ts'
import { deflateStreamOf, isGzip } from './gzip-member.ts'

/** What we say we take (RFC 9110, 12.5.3). */
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd'

/** Codings applied one after another; more than this is no honest server. */
const MAX_CODINGS = 4

export interface DecodedBody {
  readonly body: Buffer
  /** There was more than `maxBytes`. */
  readonly truncated: boolean
}

/**
 * Undoes the codings of a Content-Encoding header (RFC 9110, 8.4), last applied first. A stream
 * that was cut short gives what can be had of it, as in browsers.
 * @throws FetchFailure('invalid-content-coding')
 */
export async function decodeContent(
  coded: Buffer,
  header: string,
  maxBytes: number,
): Promise<DecodedBody> {
  const codings = header.split(',', MAX_CODINGS + 1).map((name) => name.trim().toLowerCase())
  if (codings.length > MAX_CODINGS) throw invalid(`${header}: too many content codings`)
  let decoded: DecodedBody = { body: coded, truncated: false }
  for (const coding of codings.reverse()) {
    const { body, truncated } = await undo(coding, decoded.body, maxBytes)
    decoded = { body, truncated: truncated || decoded.truncated }
  }
  return decoded
}

async function undo(coding: string, body: Buffer, maxBytes: number): Promise<DecodedBody> {
  const decoder = DECODERS.get(coding)
  if (decoder === undefined) throw invalid(`unknown content coding ${JSON.stringify(coding)}`)
  if (decoder === 'identity' || body.length === 0) return { body, truncated: false }
  try {
    return { body: decoder(body).all(body, maxBytes), truncated: false }
  } catch (error) {
    if (isTooLarge(error)) {
      return { body: await firstBytes(decoder(body).stream(), body, maxBytes), truncated: true }
    }
    // Browsers ignore what comes after a gzip stream, such as the debug output of a server.
    if (isTrailed(error, body)) return undo('deflate', deflateStreamOf(body), maxBytes)
    throw invalid(`invalid ${coding} body: ${(error as Error).message}`)
  }
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

/** What a stream gives up to the bound, or before it breaks. */
function firstBytes(
  stream: ReturnType<Decoder['stream']>,
  coded: Buffer,
  maxBytes: number,
): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0
  const finish = () => {
    stream.destroy()
    resolve(Buffer.concat(chunks).subarray(0, maxBytes))
  }
  stream.on('end', finish).on('error', finish)
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size >= maxBytes) finish()
  })
  stream.end(coded)
  return promise
}
