import { EXCLAMATION, isLetter, QUESTION, SLASH } from '../../encoding/ascii.ts'
import type { DecodeBytes } from '../../encoding/decode-byte-string.ts'
import { detachedCopy } from '../../encoding/detached-copy.ts'
import { elementText } from './decode-text.ts'
import { endOfDeclaration } from './markup-declaration.ts'
import type { PageBytes } from './page-bytes.ts'
import { endOfRawText } from './raw-text.ts'
import { endOfTag, endOfTagName } from './tag-end.ts'

/** Maximum number of bytes that are read after the start tag of a link. */
const MAX_CONTENT = 4_096
/** Maximum length of the text, in characters. */
const MAX_TEXT = 200

/** Elements whose content is raw text that browsers don't show. */
const HIDDEN_ELEMENTS = new Set(['script', 'style', 'iframe', 'noembed', 'noframes'])

/** Matches an attribute: its name, and its value in one of three notations. */
const ATTRIBUTE =
  /([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >"'][^\t\n\f\r >]*)))?/g

/**
 * Returns the text of the link whose start tag ends at `start`. The text ends at the link's end tag or the next link. A
 * link without text returns the `alt` of its first image; without that, an empty string.
 */
export function linkText(page: PageBytes, start: number, decode: DecodeBytes): string {
  const bytes = page.bytes.subarray(start, start + MAX_CONTENT)
  const content = page.text.slice(start, start + MAX_CONTENT)
  let raw = ''
  let alternative = ''
  for (let at = 0; at >= 0; ) {
    const open = content.indexOf('<', at)
    raw += content.slice(at, open < 0 ? undefined : open)
    if (open < 0) break
    const name = tagNameAt(bytes, content, open)
    if (name === 'a') break
    at = endOfMarkup(bytes, content, open)
    if (at >= 0 && HIDDEN_ELEMENTS.has(name ?? '') && bytes[open + 1] !== SLASH) {
      at = endOfRawText({ bytes, text: content }, at, name ?? '')
    }
    // By the HTML standard, a `<` that doesn't start markup is text.
    if (at === open + 1) raw += '<'
    if (name === 'img') alternative ||= altOf(content.slice(open, at))
  }
  const text = elementText(raw, decode, MAX_TEXT) || elementText(alternative, decode, MAX_TEXT)
  return detachedCopy(text)
}

/** Returns the name of the tag that starts at `open`, in lower case; undefined if none starts there. */
function tagNameAt(bytes: Uint8Array, content: string, open: number): string | undefined {
  const start = bytes[open + 1] === SLASH ? open + 2 : open + 1
  if (!isLetter(bytes[start] ?? 0)) return undefined
  return content.slice(start, endOfTagName(bytes, start)).toLowerCase()
}

/** Returns the index after the tag or comment that starts at `open`; -1 if it is not closed. */
function endOfMarkup(bytes: Uint8Array, content: string, open: number): number {
  const byte = bytes[open + 1] ?? 0
  if (isLetter(byte)) return endOfTag(bytes, endOfTagName(bytes, open + 1))
  if (byte === EXCLAMATION || byte === QUESTION) return endOfDeclaration(content, open, false)
  if (byte !== SLASH) return open + 1
  return endOfTag(bytes, endOfTagName(bytes, open + 2))
}

function altOf(tag: string): string {
  for (const [, name, double, single, bare] of tag.matchAll(ATTRIBUTE)) {
    if (name?.toLowerCase() === 'alt') return double ?? single ?? bare ?? ''
  }
  return ''
}
