import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import type { Behaviour } from './behaviour.ts'
import { bytes, flood, head, page } from './send.ts'

const TEXT = '<a href="/good/0">good</a> '.repeat(1_000)
const TEN_MEBIBYTES = Buffer.alloc(10 * 2 ** 20)
/** Turns ten mebibytes into 10 GiB. */
const TIMES = 1_024
const INVALID = { status: 200, error: 'invalid-content-coding' } as const
const TRUNCATED = { status: 200, truncated: true } as const

const coded = (coding: string, body: Buffer | string) =>
  bytes(page(body, `Content-Encoding: ${coding}\r\n`))
const start = (coding: string) => head(`Content-Encoding: ${coding}\r\n`)

const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
const wrongSum = Buffer.concat([gzipSync(TEXT).subarray(0, -8), Buffer.alloc(8)])
// Blocks that don't refer to earlier ones, so that they may be repeated.
const segment = deflateRawSync(TEN_MEBIBYTES, { finishFlush: constants.Z_FULL_FLUSH })
const gzipBomb = Buffer.concat([gzipHead, ...Array<Buffer>(100).fill(segment)])
const zeros = zstdCompressSync(TEN_MEBIBYTES)
const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Content codings that are invalid, truncated, or decode a few bytes to very many. */
export const codings: readonly Behaviour[] = [
  ['gzip-cut-short', coded('gzip', gzipSync(TEXT).subarray(0, 60)), TRUNCATED],
  ['gzip-of-one-byte', coded('gzip', '\x1f'), TRUNCATED, { bytes: 0 }],
  ['gzip-that-is-none', coded('gzip', TEXT), INVALID],
  ['gzip-with-a-wrong-sum', coded('gzip', wrongSum), { status: 200 }],
  ['brotli-that-is-none', coded('br', TEXT), INVALID],
  ['zstd-that-is-none', coded('zstd', TEXT), INVALID],
  ['deflate-that-is-none', coded('deflate', Buffer.alloc(100, 0xff)), INVALID],
  ['unsupported-coding', coded('compress', TEXT), INVALID],
  ['coding-with-escapes', coded('\x9b2J', TEXT), { status: 200 }],
  ['coding-of-60-kb', coded('gzip,'.repeat(12_000), TEXT), INVALID],
  ['five-codings', coded('gzip, gzip, gzip, gzip, gzip', TEXT), INVALID],
  [
    'gzip-bomb-of-10-gb',
    flood(Buffer.concat([Buffer.from(start('gzip')), gzipHead]), segment, TIMES),
    TRUNCATED,
  ],
  ['gzip-bomb-in-gzip', coded('gzip, gzip', gzipSync(gzipBomb)), TRUNCATED],
  ['zstd-bomb-of-10-gb', flood(start('zstd'), zeros, TIMES), TRUNCATED],
  ['brotli-bomb', coded('br', brotliCompressSync(Buffer.alloc(32 * 2 ** 20), QUICKLY)), TRUNCATED],
]
