import { isLetter, SLASH } from '../../encoding/ascii.ts'
import { encodingOf } from '../charset/decode-page.ts'
import { after } from './markup-declaration.ts'
import { type PageBytes, pageBytesOf } from './page-bytes.ts'
import { StartTag } from './start-tag.ts'
import { endOfTag, endOfUnquoted } from './tag-end.ts'

/** Number of bytes at the start of a page in which it must declare its encoding. */
export const PRESCANNED = 1024

/**
 * Returns the encoding that a page declares in its first 1,024 bytes, by a `<meta>` or else by an XML declaration (HTML
 * standard, "prescan a byte stream to determine its encoding").
 */
export function prescan(body: Buffer): string | undefined {
  const page = pageBytesOf(body.subarray(0, PRESCANNED))
  const head = page.text
  if (head.startsWith('<\0?\0x\0')) return 'utf-16le'
  if (head.startsWith('\0<\0?\0x')) return 'utf-16be'
  return metaEncoding(page) ?? xmlEncoding(head)
}

function metaEncoding(page: PageBytes): string | undefined {
  const tag = new StartTag(page)
  const head = page.text
  let open = head.indexOf('<')
  while (open >= 0) {
    let next: number
    if (/^<meta[\t\n\f\r /]/i.test(head.slice(open, open + 6))) {
      next = tag.read(open + 5)
      const encoding = next < 0 ? undefined : declaredEncoding(tag)
      if (encoding !== undefined) return encoding
    } else next = endOfMarkup(page, open)
    if (next < 0) return undefined
    open = head.indexOf('<', next)
  }
  return undefined
}

function endOfMarkup({ bytes, text: head }: PageBytes, open: number): number {
  if (head.startsWith('!--', open + 1)) return after(head, '-->', open + 2)
  const closing = bytes[open + 1] === SLASH
  const start = closing ? open + 2 : open + 1
  if (isLetter(bytes[start] ?? 0)) return endOfTag(bytes, endOfUnquoted(bytes, start))
  return /[!/?]/.test(head.charAt(open + 1)) ? after(head, '>', open + 1) : open + 1
}

/** Returns the encoding that a `<meta>` declares. UTF-16 is read as UTF-8: in UTF-16, the tag would not be found. */
export function declaredEncoding(meta: Pick<StartTag, 'raw'>): string | undefined {
  const charset = meta.raw('charset')
  if (charset !== undefined) return asDeclared(encodingOf(charset))
  if (meta.raw('http-equiv')?.toLowerCase() !== 'content-type') return undefined
  return asDeclared(encodingOf(charsetParameter(meta.raw('content') ?? '') ?? ''))
}

function asDeclared(encoding: string | undefined): string | undefined {
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8'
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding
}

/** Returns the charset in a `content` (HTML standard, "extracting a character encoding from a meta element"). */
function charsetParameter(content: string): string | undefined {
  const match = /charset[\t\n\f\r ]*=[\t\n\f\r ]*/i.exec(content)
  if (match === null) return undefined
  const value = content.slice(match.index + match[0].length)
  const quote = value.charAt(0)
  if (quote !== '"' && quote !== "'") return value.split(/[\t\n\f\r ;]/, 1)[0]
  const close = value.indexOf(quote, 1)
  return close < 0 ? undefined : value.slice(1, close)
}

/** Returns the encoding that an XML declaration declares (HTML standard, "get an XML encoding"). */
export function xmlEncoding(head: string): string | undefined {
  if (!head.startsWith('<?xml')) return undefined
  const end = head.indexOf('>')
  const at = head.indexOf('encoding')
  if (at < 0 || at > end) return undefined
  const value = /^[\0- ]*=[\0- ]*(?:"([^"]*)"|'([^']*)')/.exec(head.slice(at + 8))
  const label = value?.[1] ?? value?.[2]
  return label === undefined || /[\0- ]/.test(label) ? undefined : asDeclared(encodingOf(label))
}
