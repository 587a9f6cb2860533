import { EXCLAMATION, GREATER, isLetter, LESS, QUESTION, SLASH } from '../encoding/ascii.ts'
import { NameSet } from '../html/reference-scanner/name-set.ts'
import { endOfTag, endOfTagName } from '../html/reference-scanner/tag-end.ts'
import type { ContentHashes } from '../messages/outcome.ts'

/** Tags of images, frames and media, and of scripts, which may add content. */
const SHOWING = new NameSet('audio embed frame iframe img object script source video'.split(' '))
const PRIME = 0x01000193
const OFFSET = 0x811c9dc5 | 0
const LETTER = 1
const DIGIT = 2
/** The kind of each byte: a letter (also each byte from 0x80 up), a digit, or 0 for others. */
const KIND = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80 || isLetter(byte)) return LETTER
  return byte >= 0x30 && byte <= 0x39 ? DIGIT : 0
})

/**
 * Returns two hashes of the content of a page, which doesn't include the targets of its links: a hash of everything,
 * and a hash of the words that contain no digit. Pages with the same content have the same hashes; others rarely do.
 */
export function contentHashes(page: Uint8Array): ContentHashes {
  const hasher = new Hasher()
  for (let at = 0; at < page.length; ) {
    const open = hasher.addText(page, at)
    at = open < page.length ? afterMarkup(page, open, hasher) : open
  }
  return { all: hasher.all, words: hasher.words }
}

/** Returns the index after the tag or comment that starts at `open`. Adds a tag that shows something to the hash. */
function afterMarkup(page: Uint8Array, open: number, hasher: Hasher): number {
  const start = page[open + 1] === SLASH ? open + 2 : open + 1
  const first = page[start] ?? 0
  if (!isLetter(first)) {
    const isText = start === open + 1 && first !== EXCLAMATION && first !== QUESTION
    // Comments are left out, since they may contain the time at which a page was generated.
    return isText ? start : after(page, GREATER, start)
  }
  const nameEnd = endOfTagName(page, start)
  const end = endOfTag(page, nameEnd)
  if (end < 0) return page.length
  if (start === open + 1 && SHOWING.indexAt(page, start, nameEnd) >= 0) {
    hasher.addTag(page, open, end)
  }
  return end
}

function after(page: Uint8Array, byte: number, from: number): number {
  const at = page.indexOf(byte, from)
  return at < 0 ? page.length : at + 1
}

/** Computes both hashes with FNV-1a. */
class Hasher {
  all = OFFSET
  words = OFFSET

  addTag(page: Uint8Array, start: number, end: number): void {
    let all = this.all
    for (let at = start; at < end; at++) all = Math.imul(all ^ (page[at] ?? 0), PRIME)
    this.all = all
  }

  /** Adds the text from `start` to the next `<`. Returns the index of that, or the length of the page. */
  addText(page: Uint8Array, start: number): number {
    let { all, words } = this
    let word = 0
    let hasDigit = false
    let at = start
    for (; at < page.length; at++) {
      const byte = page[at] ?? 0
      if (byte === LESS) break
      all = Math.imul(all ^ byte, PRIME)
      const kind = KIND[byte] ?? 0
      if (kind === 0) {
        if (word !== 0 && !hasDigit) words = Math.imul(words ^ word, PRIME)
        word = 0
        hasDigit = false
      } else {
        word = Math.imul(word ^ byte, PRIME)
        hasDigit ||= kind === DIGIT
      }
    }
    if (word !== 0 && !hasDigit) words = Math.imul(words ^ word, PRIME)
    this.all = all
    this.words = words
    return at
  }
}
