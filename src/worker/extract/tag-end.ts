import { DOUBLE_QUOTE, EQUALS, GREATER, isSpace, SINGLE_QUOTE, SLASH } from './ascii.ts'

/**
 * Index after the `>` that ends the tag whose name ends at `from`, or -1 when the page ends first
 * (the tokenizer then drops the tag). A `>` in a quoted value does not count, and a quote opens a
 * value only after the `=` that follows an attribute's name.
 */
export function endOfTag(bytes: Uint8Array, from: number): number {
  let inName = false
  let at = from
  while (at < bytes.length) {
    const byte = bytes[at++] ?? 0
    if (byte > GREATER) inName = true
    else if (byte === GREATER) return at
    else if (byte === EQUALS && inName) {
      at = endOfValue(bytes, at)
      inName = false
    } else if (byte === SLASH) inName = false
    else if (!isSpace(byte)) inName = true
  }
  return -1
}

/** Index after the value that follows the `=` before `from`; beyond the page when that ends first. */
function endOfValue(bytes: Uint8Array, from: number): number {
  const start = skipSpace(bytes, from)
  const first = bytes[start] ?? 0
  if (first !== DOUBLE_QUOTE && first !== SINGLE_QUOTE) return endOfUnquoted(bytes, start)
  return endOfQuoted(bytes, start) + 1
}

/** Index of the quote that closes the one at `open`, or the length of the page. */
export function endOfQuoted(bytes: Uint8Array, open: number): number {
  const quote = bytes[open]
  let at = open + 1
  while (at < bytes.length && bytes[at] !== quote) at++
  return at
}

export function endOfUnquoted(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0
    if (byte === GREATER || isSpace(byte)) return at
    at++
  }
  return at
}

export function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (isSpace(bytes[at] ?? 0)) at++
  return at
}

/** Index of the white space, `/` or `>` that ends the tag name that holds `from`. */
export function endOfTagName(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0
    if (byte <= GREATER && (byte === GREATER || byte === SLASH || isSpace(byte))) return at
    at++
  }
  return at
}
