import { decoderOf } from './decoders.ts'

/** Decodes a byte string (one character per byte) in the page's encoding. */
export type DecodeBytes = (bytes: string) => string

/**
 * Returns whether each byte below 0x40 means its ASCII character, or is a digit inside a GB18030
 * sequence. In these encodings, delimiters of HTML and CSS can be found in the bytes, and pieces can
 * be decoded separately.
 * @param encoding WHATWG name, lower case
 */
export function hasAsciiDelimiters(encoding: string): boolean {
  return !NO_ASCII_DELIMITERS.has(encoding)
}

const NO_ASCII_DELIMITERS: ReadonlySet<string> = new Set(['utf-16le', 'utf-16be', 'iso-2022-jp'])

const decoders = new Map<string, DecodeBytes>()

/**
 * Returns the decoder for pieces of a page that is read as a byte string.
 * @param encoding WHATWG name, lower case; not `replacement`
 */
export function pieceDecoder(encoding: string): DecodeBytes {
  const known = decoders.get(encoding)
  if (known !== undefined) return known
  const decoder = decoderOf(encoding, { ignoreBOM: true })
  const decode: DecodeBytes = (bytes) => decoder.decode(Buffer.from(bytes, 'latin1'))
  decoders.set(encoding, decode)
  return decode
}
