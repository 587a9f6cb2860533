import { DASH, GREATER, isSpace, LESS, SLASH } from '../../encoding/ascii.ts'
import { NameSet } from './name-set.ts'
import type { PageBytes } from './page-bytes.ts'

/** Elements whose content is text up to their end tag, even if it contains `<`. */
const RAW_TEXT = new NameSet([
  'script',
  'style',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'title',
  'textarea',
  'plaintext',
])
export const RAW_TEXT_NAMES: readonly string[] = RAW_TEXT.names

/**
 * Returns the index of the end tag that closes the raw text, RCDATA or script data that starts at `from`; the length of
 * the page if there is none.
 */
export function endOfRawText({ bytes, text }: PageBytes, from: number, name: string): number {
  if (name === 'plaintext') return text.length
  if (name === 'script') return endOfScript({ bytes, text }, from)
  let open = text.indexOf('</', from)
  while (open >= 0 && !isTagNamed(bytes, open + 2, name)) open = text.indexOf('</', open + 2)
  return open < 0 ? text.length : open
}

/**
 * Returns the index of the end tag of a script. `<!--` hides a `<script>...</script>` pair inside a script (the escaped
 * states of the standard).
 */
function endOfScript({ bytes, text }: PageBytes, from: number): number {
  let open = text.indexOf('<', from)
  while (open >= 0) {
    if (bytes[open + 1] === SLASH && isTagNamed(bytes, open + 2, 'script')) return open
    const next = text.startsWith('!--', open + 1) ? endOfEscape(bytes, open + 2) : open + 1
    open = text.indexOf('<', next)
  }
  return text.length
}

/**
 * Returns the index at which script data continues after an escape (`<!--`): after its `-->`, or at an end tag that
 * ends both the escape and the script.
 */
function endOfEscape(bytes: Uint8Array, from: number): number {
  let doubled = false
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === GREATER && at - from >= 2) {
      if (bytes[at - 1] === DASH && bytes[at - 2] === DASH) return at + 1
    } else if (byte === LESS) {
      const closing = bytes[at + 1] === SLASH
      if (!isTagNamed(bytes, closing ? at + 2 : at + 1, 'script')) continue
      if (closing && !doubled) return at
      doubled = !closing
    }
  }
  return bytes.length
}

/** Returns whether the whole tag name at `at` is `name`. */
function isTagNamed(bytes: Uint8Array, at: number, name: string): boolean {
  const end = at + name.length
  const byte = bytes[end] ?? 0
  if (byte !== GREATER && byte !== SLASH && !isSpace(byte)) return false
  return RAW_TEXT.at(bytes, at, end) === name
}
