import { decodeHTML, decodeHTMLAttribute } from 'entities/decode'
import type { DecodeBytes } from '../../encoding/decode-byte-string.ts'

/** Decodes the value of an attribute, normalizes line breaks, replaces NULs, and resolves character references. */
export function attributeText(raw: string, decode: DecodeBytes): string {
  const text = plainText(raw, decode)
  return text.includes('&') ? decodeHTMLAttribute(text) : text
}

/**
 * Returns the text of an RCDATA element, with white space stripped and collapsed, truncated to `length` characters. The
 * result may be a slice of `raw`, and keep it in memory.
 */
export function elementText(raw: string, decode: DecodeBytes, length: number): string {
  const plain = plainText(raw, decode)
  const text = plain.includes('&') ? decodeHTML(plain) : plain
  if (text.length <= length && !UNCOLLAPSED.test(text)) return text
  const collapsed = text.replace(/[\t\n\f\r ]+/g, ' ').replace(/^ /, '')
  return collapsed.slice(0, length).replace(/ $/, '')
}

/** Matches white space that has to be collapsed: at an end, of several characters, or other than a space. */
const UNCOLLAPSED = /^ | $|[\t\n\f\r]| {2}/

function plainText(raw: string, decode: DecodeBytes): string {
  if (isPlain(raw)) return raw
  return decode(raw).replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')
}

/** Returns whether a text consists only of ASCII characters that need no replacement. */
function isPlain(raw: string): boolean {
  for (let i = 0; i < raw.length; i++) {
    const code = raw.charCodeAt(i)
    if (code >= 0x80 || code === 0x0d || code === 0) return false
  }
  return true
}
