import { EXCLAMATION, isLetter, QUESTION, SLASH, SPACE } from '../../encoding/ascii.ts'
import { indexOrEnd } from '../../url/index-or-end.ts'
import { after, endOfDeclaration } from '../reference-scanner/markup-declaration.ts'
import { NameSet } from '../reference-scanner/name-set.ts'
import type { PageBytes } from '../reference-scanner/page-bytes.ts'
import { endOfRawText } from '../reference-scanner/raw-text.ts'
import { endOfTag, endOfTagName } from '../reference-scanner/tag-end.ts'

/** Tags of images, frames and media. */
export const PIECE_TAGS: readonly string[] =
  'amp-img audio embed iframe image img object source video'.split(' ')
const MEDIA = new NameSet(PIECE_TAGS)
/** Elements whose content a page doesn't show. */
const HIDDEN = new NameSet(['script', 'style'])
const ANCHOR = new NameSet(['a'])
const STYLE_URL = 'url('
const CLOSING = ')'.charCodeAt(0)

/**
 * Receives the pieces of a page: ranges of its bytes. A piece of media is the inside of a tag, or a URL in a style. Each
 * method returns whether to continue.
 */
interface PieceReader {
  text(start: number, end: number): boolean
  media(start: number, end: number): boolean
}

/**
 * Passes all texts and media of a page to a reader, however short or many they are, but not the labels of links. It
 * takes longer than sampling, so it is for pages whose samples show nothing new.
 */
export function readPieces(page: PageBytes, reader: PieceReader): void {
  const { bytes, text } = page
  let styleUrl = indexOrEnd(text, STYLE_URL, 0)
  let isLabel = false
  for (let at = 0; at < text.length; ) {
    const open = indexOrEnd(text, '<', at)
    if (!isLabel && hasText(bytes, at, open) && !reader.text(at, open)) return
    const isClosing = bytes[open + 1] === SLASH
    const start = isClosing ? open + 2 : open + 1
    if (!isLetter(bytes[start] ?? 0)) {
      at = afterOtherMarkup(page, open)
      continue
    }
    const nameEnd = endOfTagName(bytes, start)
    const tagEnd = endOfTag(bytes, nameEnd)
    if (tagEnd < 0) return
    at = tagEnd
    if (ANCHOR.indexAt(bytes, start, nameEnd) >= 0) isLabel = !isClosing
    if (isClosing) continue
    if (MEDIA.indexAt(bytes, start, nameEnd) >= 0 && !reader.media(nameEnd, tagEnd)) return
    if (styleUrl < nameEnd) styleUrl = indexOrEnd(text, STYLE_URL, nameEnd)
    if (styleUrl < tagEnd && !reader.media(styleUrl, endOfStyleUrl(bytes, styleUrl, tagEnd))) return
    const hidden = HIDDEN.at(bytes, start, nameEnd)
    if (hidden !== undefined) at = endOfRawText(page, tagEnd, hidden)
  }
}

/** Returns the index of the `)` after a `url(`; the end of the tag if there is none in it. */
function endOfStyleUrl(bytes: Uint8Array, from: number, tagEnd: number): number {
  let at = from
  while (at < tagEnd && bytes[at] !== CLOSING) at++
  return at
}

/** Returns whether a range contains more than white space. */
function hasText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((bytes[at] ?? 0) > SPACE) return true
  return false
}

/** Returns the index after a comment, a declaration, or a `<` that starts no tag. */
function afterOtherMarkup({ bytes, text }: PageBytes, open: number): number {
  const byte = bytes[open + 1]
  if (byte === EXCLAMATION) return endOfDeclaration(text, open, false)
  return byte === QUESTION || byte === SLASH ? after(text, '>', open + 2) : open + 1
}
