import { decoderOf } from '../../encoding/decoders.ts'

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
  if (name === '') return undefined
  if (REPLACED.has(name)) return 'replacement'
  if (name === USER_DEFINED) return name
  try {
    return encodings.get(name) ?? remember(name, new TextDecoder(name).encoding)
  } catch {
    return undefined
  }
}

/** Decodes a page, replacing what is malformed and dropping its BOM. Of `replacement` there is nothing. */
export function decodePage(bytes: Uint8Array, encoding: string): string {
  if (encoding === 'replacement') return ''
  return decoderOf(encoding, false).decode(bytes)
}

/** `TextDecoder` of Node 22 doesn't know it. */
const USER_DEFINED = 'x-user-defined'
/** Longest label of the standard is 19 characters; white space around it is allowed. */
const MAX_LABEL = 100
/** Labels of `replacement`, which `TextDecoder` refuses. */
const REPLACED = new Set([
  'csiso2022kr',
  'hz-gb-2312',
  'iso-2022-cn',
  'iso-2022-cn-ext',
  'iso-2022-kr',
  'replacement',
])

/** By label; only labels of the standard, so that pages cannot make it grow without end. */
const encodings = new Map<string, string>()

function remember(label: string, encoding: string): string {
  encodings.set(label, encoding)
  return encoding
}
