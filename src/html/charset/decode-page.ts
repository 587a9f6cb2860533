import { decoderOf } from '../../encoding/decoders.ts'

/**
 * Returns the WHATWG encoding for a label, in lower case; undefined if the label is not in the standard. `replacement`
 * stands for encodings that must not be decoded at all.
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

/** Decodes a page without its BOM, and replaces malformed bytes. With `replacement`, the result is empty. */
export function decodePage(bytes: Uint8Array, encoding: string): string {
  if (encoding === 'replacement') return ''
  return decoderOf(encoding).decode(bytes)
}

/** An encoding that `TextDecoder` of Node 22 doesn't know. */
const USER_DEFINED = 'x-user-defined'
/** Maximum length of a label. The longest in the standard has 19 characters, but white space around it is allowed. */
const MAX_LABEL = 100
/** Labels of the encoding `replacement`, which `TextDecoder` rejects. */
const REPLACED = new Set([
  'csiso2022kr',
  'hz-gb-2312',
  'iso-2022-cn',
  'iso-2022-cn-ext',
  'iso-2022-kr',
  'replacement',
])

/** Encodings by label. It contains only labels of the standard, so that pages can't make it grow without bound. */
const encodings = new Map<string, string>()

function remember(label: string, encoding: string): string {
  encodings.set(label, encoding)
  return encoding
}
