import { hash } from 'node:crypto'

/** Bytes of a name; file systems allow 255, and a number and an extension come behind it. */
const MAX_BYTES = 180

/** What Windows refuses, what a terminal obeys, and what is not seen. */
const UNSAFE = /["*/:<>?\\|\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu
/** A dot in front hides a file, or makes one that servers read; Windows drops dots and spaces at the end. */
const EDGES = /^[. ]|[. ]$/g
/** Devices of Windows, whatever their extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i

/**
 * A name of a file or folder for a piece of a URL: the same text where that is safe on Linux, macOS and
 * Windows, never empty, never a step to another folder, of at most 180 bytes.
 */
export function safeSegment(text: string): string {
  const plain = decoded(text).normalize('NFC').replace(UNSAFE, '_').replace(EDGES, '_')
  if (plain === '') return '_'
  return bounded(DEVICE.test(plain) ? `_${plain}` : plain)
}

/** Eight digits that stand for a text. */
export function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 8)
}

/** Escapes that aren't UTF-8 stay as they are. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What is cut differs by a hash of the whole. */
function bounded(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name
  const mark = `-${shortHash(name)}`
  let kept = ''
  let room = MAX_BYTES - mark.length
  for (const character of name) {
    room -= Buffer.byteLength(character)
    if (room < 0) break
    kept += character
  }
  return kept + mark
}
