import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { countOf } from '../english-text.ts'
import { DamageError } from '../errors.ts'

/**
 * Maximum bytes of a list that is shortened only by `withoutSharedPrefixes`. DEFLATE would halve the rest, but takes
 * five times as long, and leaves much garbage: an eighth of a worker's time if pages are small.
 */
const MAX_PREFIX_CODED = 2_048
/** Header of a final DEFLATE block without compression (RFC 1951, 3.2.4): its type, its length, and that inverted. */
const STORED_HEADER_BYTES = 5

/** The first byte of a shortened URL that shares no prefix with the URL before it. URLs are ASCII, so they have none. */
const FIRST_PREFIX_CODE = 0x80
/** The character for each length of a shared prefix. */
const PREFIX_CODES = Array.from({ length: 0x80 }, (_, length) =>
  String.fromCharCode(FIRST_PREFIX_CODE + length),
)
const PREFIX_CODED_URL = /([\x80-\xff])([^\x80-\xff]*)/g

/** By default, each call takes 270 KiB for tables and 16 KiB for a buffer. URLs of a page repeat within a few KiB. */
const OPTIONS = { level: 1, windowBits: 12, memLevel: 5, chunkSize: 2_048 }

/** Compresses a list of canonical URLs, which are ASCII without line feeds, to a raw DEFLATE stream. */
export function packLinks(urls: readonly string[]): Uint8Array {
  const bytes = urls.reduce((sum, url) => sum + url.length + 1, 0)
  if (bytes <= MAX_PREFIX_CODED) return storedBlock(withoutSharedPrefixes(urls))
  // The copy has a buffer of exactly its size: a message copies the whole buffer behind an array.
  return new Uint8Array(deflateRawSync(urls.join('\n'), OPTIONS))
}

/** Replaces the prefix that a URL shares with the URL before it by one character (front coding). */
function withoutSharedPrefixes(urls: readonly string[]): string {
  let previous = ''
  let text = ''
  for (const url of urls) {
    const length = sharedPrefixLength(previous, url)
    text += PREFIX_CODES[length] + url.slice(length)
    previous = url
  }
  return text
}

function sharedPrefixLength(a: string, b: string): number {
  const max = Math.min(a.length, b.length, PREFIX_CODES.length - 1)
  let length = 0
  while (length < max && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
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
    if (text === '') return []
    return text.charCodeAt(0) < FIRST_PREFIX_CODE ? text.split('\n') : withSharedPrefixes(text)
  } catch {
    throw new DamageError(
      `${place}: expected packed links, got ${countOf(packed.length, 'other byte')}`,
    )
  }
}

function withSharedPrefixes(text: string): string[] {
  let previous = ''
  return Array.from(text.matchAll(PREFIX_CODED_URL), ([, code = '', rest = '']) => {
    previous = previous.slice(0, code.charCodeAt(0) - FIRST_PREFIX_CODE) + rest
    return previous
  })
}
