import { isLetter, LESS, SLASH } from '../../encoding/ascii.ts'
import { NameSet } from '../../html/reference-scanner/name-set.ts'
import { endOfTag, endOfTagName } from '../../html/reference-scanner/tag-end.ts'

/** Tags of pictures, frames and media. */
const MEDIA = new NameSet('amp-img audio embed iframe image img object source video'.split(' '))
/** Elements whose content a page doesn't show. */
const HIDDEN = new NameSet(['script', 'style'])
const ANCHOR = new NameSet(['a'])
const COMMENT_START = Buffer.from('<!--')
const COMMENT_END = Buffer.from('-->')
const END_TAG = Buffer.from('</')
const STYLE_URL = Buffer.from('url(')
const CLOSING = ')'.charCodeAt(0)
const SPACE = ' '.charCodeAt(0)

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
export function readPieces(page: Uint8Array, reader: PieceReader): void {
  const bytes = Buffer.from(page.buffer, page.byteOffset, page.length)
  let styleUrl = nextIn(bytes, STYLE_URL, 0)
  let isLabel = false
  for (let at = 0; at < bytes.length; ) {
    const open = nextByte(bytes, LESS, at, bytes.length)
    if (!isLabel && hasText(bytes, at, open) && !reader.text(at, open)) return
    const isClosing = bytes[open + 1] === SLASH
    const start = isClosing ? open + 2 : open + 1
    if (!isLetter(bytes[start] ?? 0)) {
      at = afterDeclaration(bytes, open)
      continue
    }
    const nameEnd = endOfTagName(bytes, start)
    const tagEnd = endOfTag(bytes, nameEnd)
    if (tagEnd < 0) return
    at = tagEnd
    if (ANCHOR.indexAt(bytes, start, nameEnd) >= 0) isLabel = !isClosing
    if (isClosing) continue
    if (MEDIA.indexAt(bytes, start, nameEnd) >= 0 && !reader.media(nameEnd, tagEnd)) return
    if (styleUrl < nameEnd) styleUrl = nextIn(bytes, STYLE_URL, nameEnd)
    if (styleUrl < tagEnd && !reader.media(styleUrl, nextByte(bytes, CLOSING, styleUrl, tagEnd)))
      return
    const hidden = HIDDEN.at(bytes, start, nameEnd)
    if (hidden !== undefined) at = endTagAfter(bytes, hidden, tagEnd)
  }
}

/** Returns the index of the next such byte before `end`; `end` if there is none. For short ranges, `indexOf` is slower. */
function nextByte(bytes: Uint8Array, byte: number, from: number, end: number): number {
  let at = from
  while (at < end && bytes[at] !== byte) at++
  return at
}

/** Returns whether a range contains more than white space. */
function hasText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((bytes[at] ?? 0) > SPACE) return true
  return false
}

/** Returns the index after a comment, a declaration, or a `<` that starts no tag. */
function afterDeclaration(bytes: Buffer, open: number): number {
  const isComment = bytes.subarray(open, open + COMMENT_START.length).equals(COMMENT_START)
  return isComment
    ? nextIn(bytes, COMMENT_END, open + COMMENT_START.length) + COMMENT_END.length
    : open + 1
}

/** Returns the index of the end tag of a script or style; the length of the page if there is none. */
function endTagAfter(bytes: Buffer, name: 'script' | 'style', from: number): number {
  let at = bytes.indexOf(END_TAG, from)
  while (at >= 0 && HIDDEN.at(bytes, at + 2, at + 2 + name.length) !== name) {
    at = bytes.indexOf(END_TAG, at + 2)
  }
  return at < 0 ? bytes.length : at
}

/** Returns the index of the next occurrence of a text; the length of the page if there is none. */
function nextIn(bytes: Buffer, text: Buffer, from: number): number {
  const at = bytes.indexOf(text, from)
  return at < 0 ? bytes.length : at
}
