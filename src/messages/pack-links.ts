import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { countOf } from '../english-text.ts'
import { DamageError } from '../errors.ts'

/** Bytes up to which compression takes more time and memory than it saves space. */
const MAX_STORED = 512
/** A final block of DEFLATE that is stored as it is (RFC 1951, 3.2.4): its type, length, and the length inverted. */
const STORED_HEADER_BYTES = 5

/** The default tables and buffer take 270 KiB and 16 KiB for each call; URLs of a page repeat within a few KiB. */
const OPTIONS = { level: 1, windowBits: 12, memLevel: 5, chunkSize: 2_048 }

/** A list of canonical URLs, which hold no line feeds, in a tenth of its size: DEFLATE. */
export function packLinks(urls: readonly string[]): Uint8Array {
  const text = urls.join('\n')
  if (text.length <= MAX_STORED) return storedBlock(text)
  // In a buffer of its own size: messages copy the whole buffer behind an array.
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

/** More than the links of any page, in bytes. */
const MAX_BYTES = 64 * 2 ** 20

/**
 * Returns the list that `packLinks` was given.
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
