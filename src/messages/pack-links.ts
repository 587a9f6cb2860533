import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { countOf } from '../english-text.ts'
import { DamageError } from '../errors.ts'

/** Maximum bytes of a text that is stored uncompressed: compressing it would cost more than the space that it saves. */
const MAX_STORED = 512
/** Header of a final DEFLATE block without compression (RFC 1951, 3.2.4): its type, its length, and that inverted. */
const STORED_HEADER_BYTES = 5

/** By default, each call takes 270 KiB for tables and 16 KiB for a buffer. URLs of a page repeat within a few KiB. */
const OPTIONS = { level: 1, windowBits: 12, memLevel: 5, chunkSize: 2_048 }

/** Compresses a list of canonical URLs, which contain no line feeds, to about a tenth of its size (DEFLATE). */
export function packLinks(urls: readonly string[]): Uint8Array {
  const text = urls.join('\n')
  if (text.length <= MAX_STORED) return storedBlock(text)
  // The copy has a buffer of exactly its size: a message copies the whole buffer behind an array.
  return new Uint8Array(deflateRawSync(text, OPTIONS))
}

function storedBlock(text: string): Uint8Array {
  const block = Buffer.from(new ArrayBuffer(STORED_HEADER_BYTES + text.length))
  block[0] = 1
  block.writeUInt16LE(text.length, 1)
  block.writeUInt16LE(~text.length & 0xffff, 3)
  block.write(text, STORED_HEADER_BYTES, 'latin1')
  return block
}

/** Maximum bytes of an unpacked list; no page has that many links. */
const MAX_BYTES = 64 * 2 ** 20

/**
 * Returns the list that `packLinks` compressed.
 * @param place of the packed links, for the message
 * @throws DamageError
 */
export function unpackLinks(packed: Uint8Array, place: string): string[] {
  try {
    const text = inflateRawSync(packed, { maxOutputLength: MAX_BYTES }).toString('latin1')
    return text === '' ? [] : text.split('\n')
  } catch {
    throw new DamageError(
      `${place}: expected packed links, got ${countOf(packed.length, 'other byte')}`,
    )
  }
}
