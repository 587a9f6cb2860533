import { brotliCompressSync, constants, crc32, deflateRawSync, zstdCompressSync } from 'node:zlib'
import { draw, normal } from './draw.ts'

export const CODINGS = ['identity', 'gzip', 'br', 'zstd'] as const
export type Coding = (typeof CODINGS)[number]

const TEXTS = 256
const MEDIAN_BYTES = 25_000
/** Standard deviation of the logarithm: a tenth of HTML pages is at least five times as large as the median. */
const SPREAD = 1.27
const MIN_BYTES = 2_000
const MAX_BYTES = 2_000_000
/** The compression levels that servers use for responses that they compress at each request. */
const BROTLI_QUALITY = 5
const ZSTD_LEVEL = 3
/** Maximum number of bytes of a stored block of deflate. */
const MAX_OWN_BYTES = 65_535
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

const SYLLABLES = 'ka lo mi ten sur ve ran do pel fi gus mar in qua tor el ba chi no ze'.split(' ')

/** A text that many pages share, plain and as the start of a body in each coding. */
interface Text {
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly br: Buffer
  readonly zstd: Buffer
  readonly checksum: number
}

/**
 * The texts of pages. A body is one of these texts, followed by the page's own HTML. So a server compresses nothing at
 * a request: it sends a text that was compressed before, and the rest as an uncompressed block.
 */
export class Texts {
  readonly #texts: Text[] = []

  /** @param codings the codings of bodies, in addition to none */
  constructor(seed: number, codings: ReadonlySet<Coding>, size?: number) {
    for (let index = 0; index < TEXTS; index++) {
      const plain = Buffer.from(
        textOf(seed, index, size ?? sizeAt((index + 0.5) / TEXTS)),
        'latin1',
      )
      this.#texts.push({ plain, checksum: crc32(plain), ...compressed(plain, codings) })
    }
  }

  /** Returns the pieces of a body: the text at a place in [0, 1), and the page's own HTML. */
  bodyOf(place: number, html: string, coding: Coding): readonly Buffer[] {
    const text = this.#texts[Math.floor(place * TEXTS)]
    const own = Buffer.from(html, 'latin1')
    if (text === undefined || own.length > MAX_OWN_BYTES) throw new Error('expected a smaller page')
    if (coding === 'gzip') return gzipBody(text, own)
    if (coding === 'br') return [text.br, brotliHeader(own), own, Buffer.of(0x03)]
    if (coding === 'zstd') return [text.zstd, zstdHeader(own), own]
    return [text.plain, own]
  }
}

function sizeAt(place: number): number {
  const bytes = MEDIAN_BYTES * Math.exp(SPREAD * normal(place))
  return Math.round(Math.min(MAX_BYTES, Math.max(MIN_BYTES, bytes)))
}

function compressed(plain: Buffer, codings: ReadonlySet<Coding>) {
  const none = Buffer.alloc(0)
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  }
  const zstd = {
    params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL },
    finishFlush: constants.ZSTD_e_flush,
  }
  return {
    gzip: codings.has('gzip') ? deflateRawSync(plain, { finishFlush: Z_SYNC_FLUSH }) : none,
    br: codings.has('br')
      ? brotliCompressSync(plain, { finishFlush: BROTLI_OPERATION_FLUSH, params })
      : none,
    zstd: codings.has('zstd') ? zstdCompressSync(plain, zstd) : none,
  }
}

/** Returns a gzip body. After the text, it has a stored last block (RFC 1951) and the gzip trailer (RFC 1952). */
function gzipBody(text: Text, own: Buffer): Buffer[] {
  const header = Buffer.alloc(5)
  header.writeUInt8(1)
  header.writeUInt16LE(own.length, 1)
  header.writeUInt16LE(~own.length & 0xffff, 3)
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc32(own, text.checksum))
  end.writeUInt32LE(text.plain.length + own.length, 4)
  return [GZIP_HEADER, text.gzip, header, own, end]
}

/** Returns the header of an uncompressed meta-block that is not the last (RFC 7932, 9.2). */
function brotliHeader(own: Buffer): Buffer {
  const header = Buffer.alloc(3)
  header.writeUIntLE(((own.length - 1) << 3) | (1 << 19), 0, 3)
  return header
}

/** Returns the header of a raw block that is the last of its frame (RFC 8878, 3.1.1.2). */
function zstdHeader(own: Buffer): Buffer {
  const header = Buffer.alloc(3)
  header.writeUIntLE((own.length << 3) | 1, 0, 3)
  return header
}

/** Returns paragraphs of words, some with markup, after a header with a menu. */
function textOf(seed: number, index: number, bytes: number): string {
  let html = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Text ${index}</title>
<link rel="stylesheet" href="/style.css"><script>var page = "<a href='not-a-link'>";</script></head>
<body class="page"><nav><ul><li class="item"><a class="menu" href="/">Start</a></li></ul></nav>\n`
  for (let word = 0; html.length < bytes; word++) {
    const place = draw(seed, 20, index, word)
    const end = word % 60 === 59 ? '</p>\n<p class="text">' : ' '
    html += (place < 0.05 ? `<span class="term">${wordAt(place * 20)}</span>` : wordAt(place)) + end
  }
  return `${html.slice(0, bytes)}\n`
}

/** Returns a word for a place in [0, 1). */
export function wordAt(place: number): string {
  let [word, rest] = ['', Math.floor(place * 2 ** 24)]
  for (; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length]
  return word
}
