import { TextDecoder } from 'node:util'

/**
 * The WHATWG encoding that a label names, lower case, or `undefined` for no label of the standard.
 * `replacement` stands for encodings that must not be decoded at all.
 */
export function encodingOf(label: string): string | undefined {
  if (label.length > MAX_LABEL) return undefined
  const name = label
    .replace(/^[\t\n\f\r ]+/, '')
    .replace(/[\t\n\f\r ]+$/, '')
    .toLowerCase()
  if (REPLACED.has(name)) return 'replacement'
  return decoderOf(name)?.encoding
}

/** Decodes bytes, replacing what is malformed; a BOM is dropped only at the start of a page. */
export function decodePage(bytes: Uint8Array, encoding: string): string {
  return decoderOf(encoding)?.decode(bytes) ?? ''
}

/** A decoder for pieces of a page that is scanned as a byte string, one character per byte. */
export function pieceDecoder(encoding: string): (bytes: string) => string {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  return (bytes) => decoder.decode(Buffer.from(bytes, 'latin1'))
}

/** Longest label of the standard is 19 characters; white space around it is allowed. */
const MAX_LABEL = 100
const REPLACED = new Set([
  'csiso2022kr',
  'hz-gb-2312',
  'iso-2022-cn',
  'iso-2022-cn-ext',
  'iso-2022-kr',
  'replacement',
])
/** By label; holds only labels of the standard, so a page cannot make it grow without end. */
const decoders = new Map<string, TextDecoder>()

function decoderOf(label: string): TextDecoder | undefined {
  const known = decoders.get(label)
  if (known !== undefined) return known
  try {
    const decoder = new TextDecoder(label)
    decoders.set(label, decoder)
    return decoder
  } catch {
    return undefined
  }
}
