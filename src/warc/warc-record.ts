import { createHash, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/** Named fields of a record, in their order. */
export type WarcFields = readonly (readonly [name: string, value: string])[]

/** Returns the field with the IP address of a server, if it is known. */
export function serverField(server: string | undefined): WarcFields {
  return server === undefined ? [] : [['WARC-IP-Address', server]]
}

/** Returns a record of WARC 1.1 (ISO 28500:2017), as a gzip member of its own. */
export function encodeWarcRecord(fields: WarcFields, ...block: readonly Uint8Array[]): Buffer {
  const length = block.reduce((sum, piece) => sum + piece.length, 0)
  const all = [
    ...fields,
    ['WARC-Block-Digest', digestOf(...block)],
    ['Content-Length', `${length}`],
  ]
  const head = all.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const record = Buffer.concat([Buffer.from(`WARC/1.1\r\n${head}\r\n`), ...block, END])
  return gzipSync(record, record.length <= SHORT ? FOR_SHORT : {})
}

/** A record of at most this many bytes is compressed as well with less memory, in half of the time. */
const SHORT = 4_096
const FOR_SHORT = { windowBits: 12, memLevel: 5, chunkSize: 2_048 }

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
  let text = ''
  let bits = 0
  let count = 0
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff
    for (count += 8; count >= 5; count -= 5) text += ALPHABET[(bits >> (count - 5)) & 0x1f]
  }
  return text
}
