import { decodeHTML, decodeHTMLAttribute } from 'entities/decode'
import type { DecodeBytes } from '../../encoding/decode-byte-string.ts'

/** The value of an attribute: decoded, line breaks and NULs replaced, character references resolved. */
export function attributeText(raw: string, decode: DecodeBytes): string {
  const text = plainText(raw, decode)
  return text.includes('&') ? decodeHTMLAttribute(text) : text
}

/**
 * The text of an RCDATA element, white space stripped and collapsed, cut to `length` characters. It may be a part of
 * `raw`.
 */
export function elementText(raw: string, decode: DecodeBytes, length: number): string {
  const plain = plainText(raw, decode)
  const text = plain.includes('&') ? decodeHTML(plain) : plain
  if (text.length <= length && !UNCOLLAPSED.test(text)) return text
  const collapsed = text.replace(/[\t\n\f\r ]+/g, ' ').replace(/^ /, '')
  return collapsed.slice(0, length).replace(/ $/, '')
}

/** White space at an end, of several characters, or other than a space. */
const UNCOLLAPSED = /^ | $|[\t\n\f\r]| {2}/

function plainText(raw: string, decode: DecodeBytes): string {
  if (isPlain(raw)) return raw
  return decode(raw).replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')
}

/** Returns whether all is ASCII that stands for itself. */
function isPlain(raw: string): boolean {
  for (let i = 0; i < raw.length; i++) {
    const code = raw.charCodeAt(i)
    if (code >= 0x80 || code === 0x0d || code === 0) return false
  }
  return true
}
