import { splitZstdFrames } from './split-zstd-frames.ts'

/** Undoes one content coding. */
export interface Decoder {
  /**
   * Decodes a whole body in one call. For a page, this is several times faster than a stream.
   * @param isPart true if the body may be incomplete; otherwise throws if the coded data ends early
   */
  all(coded: Buffer, maxBytes: number, isPart: boolean): Buffer
  stream(
    isPart: boolean,
  ): NodeJS.ReadWriteStream & { readonly bytesWritten: number; destroy(): void }
  /**
   * Splits a coded body into parts that must be decoded one after another, each as a stream of its own.
   * @param isPart like that of `all`
   */
  split(coded: Buffer, isPart: boolean): readonly Buffer[]
}

type Zlib = typeof import('node:zlib')

/** Returns Node's zlib, which is loaded at the first compressed response. */
function loadZlib(): Zlib {
  return process.getBuiltinModule('node:zlib')
}

type DecodeAll =
  | 'gunzipSync'
  | 'inflateSync'
  | 'brotliDecompressSync'
  | 'zstdDecompressSync'
  | 'inflateRawSync'

type OpenStream =
  | 'createGunzip'
  | 'createInflate'
  | 'createBrotliDecompress'
  | 'createZstdDecompress'
  | 'createInflateRaw'

type Flush = 'Z_SYNC_FLUSH' | 'BROTLI_OPERATION_FLUSH' | 'ZSTD_e_flush'

/** @param flush the flush mode that makes Node accept the end of an incomplete body */
function decoderOf(
  all: DecodeAll,
  stream: OpenStream,
  flush: Flush,
  split: Decoder['split'] = (coded) => [coded],
): Decoder {
  const ending = (isPart: boolean) => (isPart ? { finishFlush: loadZlib().constants[flush] } : {})
  return {
    all: (coded, maxOutputLength, isPart) =>
      loadZlib()[all](coded, { ...ending(isPart), maxOutputLength }),
    stream: (isPart) => loadZlib()[stream](ending(isPart)),
    split,
  }
}

const gzip = decoderOf('gunzipSync', 'createGunzip', 'Z_SYNC_FLUSH')
const inflate = decoderOf('inflateSync', 'createInflate', 'Z_SYNC_FLUSH')
const brotli = decoderOf('brotliDecompressSync', 'createBrotliDecompress', 'BROTLI_OPERATION_FLUSH')
const zstd = decoderOf(
  'zstdDecompressSync',
  'createZstdDecompress',
  'ZSTD_e_flush',
  splitZstdFrames,
)

/** The decoder of deflate data without a header. */
export const inflateRaw = decoderOf('inflateRawSync', 'createInflateRaw', 'Z_SYNC_FLUSH')

// "deflate" means the zlib format, but some servers send raw deflate. The first byte distinguishes them.
const deflate = (coded: Buffer) => (((coded[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)

/** The decoders of the accepted codings, by name in lower case. */
export const DECODERS: ReadonlyMap<string, (coded: Buffer) => Decoder> = new Map([
  ['gzip', () => gzip],
  ['x-gzip', () => gzip],
  ['deflate', deflate],
  ['br', () => brotli],
  ['zstd', () => zstd],
])

/**
 * The other codings that IANA has registered. Any other name, such as a charset or `none`, isn't a coding: browsers
 * ignore it.
 */
export const UNSUPPORTED: ReadonlySet<string> = new Set(
  'compress x-compress exi pack200-gzip aes128gcm dcb dcz'.split(' '),
)
