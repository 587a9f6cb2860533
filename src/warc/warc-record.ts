import { createHash, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/** Named fields of a record, in their order. */
export type WarcFields = readonly (readonly [name: string, value: string])[]

/** Returns a record of WARC 1.1 (ISO 28500:2017), as a gzip member of its own. */
export function encodeWarcRecord(fields: WarcFields, ...block: readonly Uint8Array[]): Buffer {
  const length = block.reduce((sum, piece) => sum + piece.length, 0)
  const all = [
    ...fields,
    ['WARC-Block-Digest', digestOf(...block)],
    ['Content-Length', `${length}`],
  ]
  const head = all.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return gzipSync(Buffer.concat([Buffer.from(`WARC/1.1\r\n${head}\r\n`), ...block, END]))
}

const END = Buffer.from('\r\n\r\n')

/** Returns a labeled digest, in the form that archives usually contain. */
export function digestOf(...pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha1')
  for (const piece of pieces) hash.update(piece)
  return `sha1:${base32(hash.digest())}`
}

/** Returns a new, unique `WARC-Record-ID`. */
export function newRecordId(): string {
  return `<urn:uuid:${randomUUID()}>`
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes in base32 (RFC 4648, section 6). Their number must be a multiple of 5. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((group) => ALPHABET[Number.parseInt(group, 2)]).join('')
}
