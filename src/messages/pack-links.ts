import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { countOf } from '../english-text.ts'
import { DamageError } from '../errors.ts'

/**
 * Maximum bytes of a list that is shortened only by `withoutSharedPrefixes`. DEFLATE would halve the rest, but takes
 * five times as long, and leaves much garbage: an eighth of a worker's time if pages are small.
 */
const MAX_PREFIX_CODED = 2_048

/** The code of a URL that shares no prefix with the URL before it. URLs are ASCII, and zlib never begins with it. */
const FIRST_PREFIX_CODE = 0x80
/** The character for each length of a shared prefix. */
const PREFIX_CODES = Array.from({ length: 0x80 }, (_, length) =>
  String.fromCharCode(FIRST_PREFIX_CODE + length),
)
const PREFIX_CODED_URL = /([\x80-\xff])([^\x80-\xff]*)/g

/** By default, each call takes 270 KiB for tables and 16 KiB for a buffer. URLs of a page repeat within a few KiB. */
const OPTIONS = { level: 1, windowBits: 12, memLevel: 5, chunkSize: 2_048 }

/**
 * Compresses a list of canonical URLs, which are ASCII without line feeds, to about a tenth of its size. Returns a text
 * of Latin-1, since messages copy a text faster than bytes.
 */
export function packLinks(urls: readonly string[]): string {
  const bytes = urls.reduce((sum, url) => sum + url.length + 1, 0)
  if (bytes <= MAX_PREFIX_CODED) return withoutSharedPrefixes(urls)
  return deflateRawSync(urls.join('\n'), OPTIONS).toString('latin1')
}

/** Returns a packed list as bytes, for a database. */
export function packedBytes(packed: string): Uint8Array {
  return Buffer.from(packed, 'latin1')
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

/** Maximum bytes of an unpacked list; no page has that many links. */
const MAX_BYTES = 64 * 2 ** 20

/**
 * Returns the list that `packLinks` compressed.
 * @param packed its bytes
 * @param place of the packed links, for the message
 * @throws DamageError
 */
export function unpackLinks(packed: Uint8Array, place: string): string[] {
  if (packed.length === 0) return []
  if (packed[0] === FIRST_PREFIX_CODE) return withSharedPrefixes(packed)
  try {
    const text = inflateRawSync(packed, { maxOutputLength: MAX_BYTES }).toString('latin1')
    return text === '' ? [] : text.split('\n')
  } catch {
    throw new DamageError(
      `${place}: expected packed links, got ${countOf(packed.length, 'other byte')}`,
    )
  }
}

function withSharedPrefixes(packed: Uint8Array): string[] {
  const text = Buffer.from(packed.buffer, packed.byteOffset, packed.length).toString('latin1')
  let previous = ''
  return Array.from(text.matchAll(PREFIX_CODED_URL), ([, code = '', rest = '']) => {
    previous = previous.slice(0, code.charCodeAt(0) - FIRST_PREFIX_CODE) + rest
    return previous
  })
}
