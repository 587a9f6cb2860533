import { decoderOf } from './decoders.ts'

/** Turns a byte string (a character per byte) into text, in the page's encoding. */
export type DecodeBytes = (bytes: string) => string

/**
 * Whether a byte below 0x40 is the ASCII character in all that a page may hold, or a digit inside a GB18030
 * sequence: then no delimiter of HTML or CSS is mistaken in its bytes, and pieces of it may be decoded by
 * themselves.
 * @param encoding WHATWG name, lower case
 */
export function hasAsciiDelimiters(encoding: string): boolean {
  return !NO_ASCII_DELIMITERS.has(encoding)
}

const NO_ASCII_DELIMITERS: ReadonlySet<string> = new Set(['utf-16le', 'utf-16be', 'iso-2022-jp'])

const decoders = new Map<string, DecodeBytes>()

/**
 * The decoder for pieces of a page that is read as a byte string.
 * @param encoding WHATWG name, lower case; not `replacement`
 */
export function pieceDecoder(encoding: string): DecodeBytes {
  const known = decoders.get(encoding)
  if (known !== undefined) return known
  const decoder = decoderOf(encoding, true)
  const decode: DecodeBytes = (bytes) => decoder.decode(Buffer.from(bytes, 'latin1'))
  decoders.set(encoding, decode)
  return decode
}
