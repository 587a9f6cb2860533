import { posix } from 'node:path'
import {
  type DecodeBytes,
  hasAsciiDelimiters,
  pieceDecoder,
} from '../encoding/decode-byte-string.ts'
import { decoderOf } from '../encoding/decoders.ts'
import { percentEncoded } from '../encoding/percent-encoded.ts'
import { isJavaScript } from '../fetch/content-type.ts'
import { MAX_PAGE_LINKS } from '../html/link-limits.ts'
import type { SavedFile } from '../saved-files/saved-files.ts'
import { fragmentOf } from '../url/fragment.ts'
import { LinkResolver } from '../url/resolve.ts'
import { cssLinkEdits } from './css-edits.ts'
import { type HtmlRewrite, htmlEdits } from './html-edits.ts'
import { scriptLinkEdits } from './script-edits.ts'
import { applyEdits, type LinkRewriter, type TextEdit } from './text-edits.ts'

const HTML = 'text/html'
const CSS = 'text/css'
/** XML types whose links are written as in HTML. */
const XML: ReadonlySet<string> = new Set(['application/xhtml+xml', 'image/svg+xml'])

/** The declaration of the encoding of XML, and the text before it. */
const XML_ENCODING = /^(<\?xml[^>]*?)\sencoding\s*=\s*(?:"[^"]*"|'[^']*')/

/** Returns whether files of a type have links to rewrite. */
export function hasLinks(type: string): boolean {
  return type === HTML || type === CSS || XML.has(type) || isJavaScript(type)
}

/** Returns the file of a canonical URL, relative to the folder of the mirror. */
type FileOf = (url: string) => string | undefined

/** Returns a saved body with its links changed to other files of the mirror. */
export function rewriteForOffline(page: SavedFile, body: Buffer, fileOf: FileOf): Buffer {
  const { type, charset = 'utf-8' } = page
  if (charset === 'replacement' || (isJavaScript(type) && !hasAsciiDelimiters(charset))) return body
  const rewriterFor = (baseHref?: string) => offlineRewriter(page, baseHref, fileOf)
  if (mustBecomeUtf8(type, charset, body)) {
    const decoded = decoderOf(charset).decode(body)
    const text = type === HTML ? decoded : decoded.replace(XML_ENCODING, '$1')
    const declared = type === HTML ? 'utf-8' : undefined
    const reading = { rewriterFor, decode: (piece: string) => piece, charset: declared }
    const rewritten = applyEdits(text, editsFor(type)(text, reading))
    // Only a byte order mark overrides the encoding of the page, and the declaration in the style sheet.
    return Buffer.from(type === CSS ? `\uFEFF${rewritten}` : rewritten)
  }
  // With one character per byte, unchanged parts stay the same in any encoding.
  const text = body.toString('latin1')
  const decode = skipAscii(pieceDecoder(charset))
  const reading = { rewriterFor, decode, charset: type === HTML ? charset : undefined }
  const edits = editsFor(type)(text, reading)
  return Buffer.from(applyEdits(text, edits), 'latin1')
}

/**
 * Returns whether a file must be written in UTF-8, since it can't be edited in its encoding, or can't declare it: without a
 * server, browsers read style sheets and XML in UTF-8.
 */
function mustBecomeUtf8(type: string, charset: string, body: Buffer): boolean {
  if (type === HTML) return !hasAsciiDelimiters(charset)
  // Browsers read modules in UTF-8, whatever the page is in.
  if (isJavaScript(type)) return false
  if (type === CSS) return charset !== 'utf-8'
  return charset !== 'utf-8' && !(hasAsciiDelimiters(charset) && declaresXmlEncoding(body))
}

function declaresXmlEncoding(body: Buffer): boolean {
  return XML_ENCODING.test(body.toString('latin1', 0, 200))
}

/** Returns the function that finds the edits of a file of a type. */
function editsFor(type: string): (text: string, reading: HtmlRewrite) => TextEdit[] {
  if (type === CSS) return styleSheetEdits
  return isJavaScript(type) ? scriptEdits : htmlEdits
}

function scriptEdits(script: string, { rewriterFor, decode }: HtmlRewrite): TextEdit[] {
  const relink = rewriterFor(undefined)
  return scriptLinkEdits(script, (url) => relink(decode(url)))
}

function styleSheetEdits(css: string, { rewriterFor, decode }: HtmlRewrite): TextEdit[] {
  const relink = rewriterFor(undefined)
  return cssLinkEdits(css, (url) => relink(decode(url)))
}

/** Returns a decoder that leaves ASCII unchanged, since most pieces need no decoding. */
function skipAscii(decode: DecodeBytes): DecodeBytes {
  return (piece) => (/^[\0-\x7f]*$/.test(piece) ? piece : decode(piece))
}

/**
 * Returns a function that points references to the saved file, or to the absolute URL if there is
 * none. Fragments stay.
 */
function offlineRewriter(
  page: SavedFile,
  baseHref: string | undefined,
  fileOf: FileOf,
): LinkRewriter {
  // The queries in style sheets and scripts are always in UTF-8.
  const isPage = page.type !== CSS && !isJavaScript(page.type)
  const encoding = isPage ? page.charset : undefined
  const resolver = new LinkResolver(page.url, { baseHref, encoding })
  let remaining = MAX_PAGE_LINKS
  return (reference) => {
    if (--remaining < 0) return undefined
    if (reference.startsWith('#') && baseHref === undefined) return undefined
    const target = resolver.resolve(reference)
    if (target === undefined) return undefined
    const fragment = fragmentOf(reference)
    const other = fileOf(target)
    if (other !== undefined) return relativeUrl(page.file, other) + fragment
    return /^\s*https?:/i.test(reference) ? undefined : target + fragment
  }
}

/** Returns the relative URL from one file to another, escaped for both HTML and CSS. */
function relativeUrl(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to).split('/').map(escapedSegment).join('/')
}

function escapedSegment(segment: string): string {
  if (segment === '..') return segment
  return encodeURIComponent(segment).replace(/['()*!]/g, percentEncoded)
}
