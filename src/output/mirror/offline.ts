import { posix } from 'node:path'
import { cssEdits } from '../../mirror/css-urls.ts'
import { edited, type Relink } from '../../mirror/edits.ts'
import { htmlEdits } from '../../mirror/html-edits.ts'
import { decoderOf } from '../../url/encoding-tables.ts'
import { LinkResolver } from '../../url/resolve.ts'
import type { SavedFile } from './saved-files.ts'

const HTML = 'text/html'
const CSS = 'text/css'
/** Written as XML, with the links of HTML. */
const XML: ReadonlySet<string> = new Set(['application/xhtml+xml', 'image/svg+xml'])
/** Encodings in which a byte below 0x40 may be no ASCII character. */
const NOT_ASCII: ReadonlySet<string> = new Set(['utf-16le', 'utf-16be', 'iso-2022-jp'])

/** Links per page that are changed, as many as are looked at when it is crawled. */
const MAX_LINKS = 100_000

/** Whether a file of that type has links that have to be changed. */
export function hasLinks(type: string): boolean {
  return type === HTML || type === CSS || XML.has(type)
}

/** The file that has a canonical URL, from the folder of the mirror. */
export type FileOf = (url: string) => string | undefined

/** What a saved answer is to hold when its links lead to files beside it. */
export function madeOffline(page: SavedFile, body: Buffer, fileOf: FileOf): Buffer {
  const { type, charset = 'utf-8' } = page
  if (charset === 'replacement') return body
  const relinkFrom = (baseHref?: string) => relinkOf(page, baseHref, fileOf)
  if (type === HTML && NOT_ASCII.has(charset)) {
    const html = decoderOf(charset, false).decode(body)
    const reading = { relinkFrom, decode: (text: string) => text, charset: 'utf-8' }
    return Buffer.from(edited(html, htmlEdits(html, reading)))
  }
  // A character for each byte: what isn't changed stays as it is, in any encoding.
  const text = body.toString('latin1')
  const decode = pieceDecoder(charset)
  const relink = relinkFrom()
  const edits =
    type === CSS
      ? cssEdits(text, (url) => relink(decode(url)))
      : htmlEdits(text, { relinkFrom, decode, charset: type === HTML ? charset : undefined })
  return Buffer.from(edited(text, edits), 'latin1')
}

function pieceDecoder(charset: string): (piece: string) => string {
  const decoder = decoderOf(charset, true)
  const isPlain = /^[\0-\x7f]*$/
  return (piece) => (isPlain.test(piece) ? piece : decoder.decode(Buffer.from(piece, 'latin1')))
}

/** To the file where there is one, else to where the link leads on the web; fragments stay. */
function relinkOf(page: SavedFile, baseHref: string | undefined, fileOf: FileOf): Relink {
  const resolver = new LinkResolver(page.url, { baseHref, encoding: page.charset })
  let room = MAX_LINKS
  return (reference) => {
    if (--room < 0) return undefined
    const at = reference.indexOf('#')
    if (at === 0 && baseHref === undefined) return undefined
    const target = resolver.resolve(reference)
    if (target === undefined) return undefined
    const fragment = at < 0 ? '' : (URL.parse(reference.slice(at), 'http://a/')?.hash ?? '')
    const other = fileOf(target)
    if (other !== undefined) return relativeUrl(page.file, other) + fragment
    return /^\s*https?:/i.test(reference) ? undefined : target + fragment
  }
}

/** From one file to another, escaped for HTML and CSS alike. */
function relativeUrl(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to).split('/').map(escapedSegment).join('/')
}

function escapedSegment(segment: string): string {
  if (segment === '..') return segment
  return encodeURIComponent(segment).replace(
    /['()*!]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
