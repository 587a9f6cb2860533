import { hash } from 'node:crypto'
import { percentDecoded } from '../url/percent-decoded.ts'

/** Maximum bytes of a name. File systems allow 255, but a number and an extension may be added. */
const MAX_BYTES = 180

/** Characters that Windows forbids, that control a terminal, or that are invisible. */
const UNSAFE = /["*/:<>?\\|\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu
/**
 * A leading dot hides a file, or makes it a file that configures a server. Windows drops trailing
 * dots and spaces.
 */
const UNSAFE_EDGES = /^[. ]|[. ]$/g
/** Names of devices in Windows, with any extension, also behind spaces. */
const DEVICE = /^(?:con(?:in\$|out\$)?|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i

/**
 * Returns a name of a file or folder for a segment of a URL: the same text where that is safe on
 * Linux, macOS and Windows, never empty, never `.` or `..`, at most 180 bytes.
 */
export function safeSegment(text: string): string {
  const plain = percentDecoded(text)
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(UNSAFE_EDGES, '_')
  if (plain === '') return '_'
  return cutToLimit(DEVICE.test(plain) ? `_${plain}` : plain)
}

/** Returns an eight-digit hash of a text. */
export function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 8)
}

/** Cuts a long name and adds a hash of the whole name. */
function cutToLimit(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name
  const mark = `-${shortHash(name)}`
  let kept = ''
  let remaining = MAX_BYTES - mark.length
  for (const character of name) {
    remaining -= Buffer.byteLength(character)
    if (remaining < 0) break
    kept += character
  }
  return kept + mark
}
