import {
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  isSpace,
  SINGLE_QUOTE,
  SLASH,
} from '../../encoding/ascii.ts'

/**
 * Returns the index after the `>` that ends the tag whose name ends at `from`; -1 if the page ends before, since the
 * tokenizer then drops the tag. A `>` in a quoted value doesn't end the tag. A quote starts a value only after the `=`
 * that follows an attribute's name.
 */
export function endOfTag(bytes: Uint8Array, from: number): number {
  let inName = false
  let at = from
  while (at < bytes.length) {
    let byte = bytes[at++] ?? 0
    if (byte > GREATER) {
      inName = true
      do byte = bytes[at++] ?? 0
      while (byte > GREATER)
    }
    if (byte === GREATER) return at
    if (byte === EQUALS && inName) {
      at = endOfValue(bytes, at)
      inName = false
    } else if (byte === SLASH) inName = false
    else if (!isSpace(byte)) inName = true
  }
  return -1
}

/**
 * Returns the index after the value that follows the `=` before `from`. The index is beyond the page if a quoted value
 * is not closed.
 */
function endOfValue(bytes: Uint8Array, from: number): number {
  const start = skipSpace(bytes, from)
  const first = bytes[start]
  if (first === DOUBLE_QUOTE) return endOfQuoted(bytes, start + 1, DOUBLE_QUOTE) + 1
  if (first === SINGLE_QUOTE) return endOfQuoted(bytes, start + 1, SINGLE_QUOTE) + 1
  return endOfUnquoted(bytes, start)
}

/** Returns the index of the next `quote`; the length of the page if there is none. */
export function endOfQuoted(bytes: Uint8Array, from: number, quote: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== quote) at++
  return at
}

/** Returns the index of the white space or `>` that ends an unquoted value; the length of the page if there is none. */
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

/** Returns the index of the white space, `/` or `>` that ends the tag name at `from`. */
export function endOfTagName(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0
    if (byte <= GREATER && (byte === GREATER || byte === SLASH || isSpace(byte))) return at
    at++
  }
  return at
}
