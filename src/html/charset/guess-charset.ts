import { isUtf8 } from 'node:buffer'
import { createRequire } from 'node:module'
import { encodingOf } from './decode-page.ts'

/** Number of bytes of a page that are read to guess an encoding other than UTF-8. */
const SAMPLE = 65_536

/** Returns the WHATWG name of the likely encoding of a page that declares none. */
export function guessCharset(body: Buffer): string {
  const utf16 = utf16Encoding(body)
  if (utf16 !== undefined) return utf16
  const text = body.toString('latin1', 0, SAMPLE)
  if (text.includes('\x1b$B') || text.includes('\x1b$@')) return 'iso-2022-jp'
  if (isWhollyUtf8(body)) return 'utf-8'
  const shown = withoutTags(text)
  const guess = encodingOf(guessed(Buffer.from(shown, 'latin1')) ?? '')
  if (guess === undefined || UNLIKELY.has(guess)) return 'windows-1252'
  // It has the same letters, and the punctuation that Hebrew pages use.
  if (guess === 'iso-8859-8') return 'windows-1255'
  return guess === 'koi8-r' && UKRAINIAN.test(shown) ? 'koi8-u' : guess
}

/** Letters of KOI8-U. In KOI8-R, these bytes draw boxes. */
const UKRAINIAN = /[\xa4\xa6\xa7\xb4\xb6\xb7]/

let chardet: typeof import('chardet') | undefined

/** Returns the guess of `chardet`, which is loaded on first use: most pages declare their encoding, or are UTF-8. */
function guessed(bytes: Buffer): string | null {
  chardet ??= createRequire(import.meta.url)('chardet') as typeof import('chardet')
  return chardet.detect(bytes)
}

/** Guesses that are ignored: `utf16Encoding` has ruled out UTF-16 before, and `replacement` can't be decoded. */
const UNLIKELY = new Set(['utf-16le', 'utf-16be', 'replacement'])

/** Returns the kind of UTF-16, in which every other byte of the markup is 0; undefined for other encodings. */
function utf16Encoding(body: Buffer): string | undefined {
  const head = body.subarray(0, 1024)
  if (!head.includes(0)) return undefined
  const zeros = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > head.length / 8 && even * 8 < odd) return 'utf-16le'
  return even > head.length / 8 && odd * 8 < even ? 'utf-16be' : undefined
}

/** Returns whether the page is UTF-8. A truncated page may end inside a character. */
function isWhollyUtf8(body: Buffer): boolean {
  return isUtf8(body.subarray(0, body.length - cutBytes(body)))
}

/** Returns the number of bytes of an incomplete UTF-8 character at the end of the page, from 0 to 3. */
function cutBytes(body: Buffer): number {
  for (let length = 1; length <= 3; length++) {
    const byte = body[body.length - length] ?? 0
    if (byte >= 0xc2 && byte <= 0xf4) return length < sequenceLength(byte) ? length : 0
    if (byte < 0x80 || byte > 0xbf) return 0
  }
  return 0
}

/** Returns the length of the UTF-8 sequence that begins with a byte. */
function sequenceLength(first: number): number {
  if (first < 0xe0) return 2
  return first < 0xf0 ? 3 : 4
}

/** Removes the tags of a page. They are ASCII in any encoding, and would outweigh a short text. */
function withoutTags(text: string): string {
  const pieces = text.split('<')
  return pieces.map((piece) => piece.slice(piece.indexOf('>') + 1)).join(' ')
}
