import { BoundedMap } from '../collections/bounded-map.ts'

export interface ContentType {
  /** Lower case, without parameters. */
  readonly type: string
  /** The charset as declared, which may not be the name of an encoding. */
  readonly charset?: string
}

/** Types that mean none (WHATWG MIME Sniffing standard, 7). A `*` isn't valid in any type. */
const UNKNOWN = /^(?:unknown|application)\/unknown$/

/** Matches URLs that are probably those of web app manifests, and the types that servers send for these. */
const MANIFEST_NAME = /(?:manifest\.json|\.webmanifest)(?:\?|$)/
const MANIFEST_TYPES = /^(?:application\/(?:json|octet-stream)|text\/(?:json|plain))$/

/** Maximum number of remembered headers, and of characters of each. Servers send few different ones. */
const MAX_REMEMBERED = 100
const MAX_REMEMBERED_LENGTH = 100
const remembered = new BoundedMap<string, ContentType>(MAX_REMEMBERED)

/**
 * Returns the type and the charset of a Content-Type header (RFC 9110, 8.3.1); undefined if it is invalid.
 * If the header was sent several times by mistake, the last valid value counts, as in browsers (Fetch standard,
 * "extract a MIME type").
 */
export function parseContentType(header: string): ContentType | undefined {
  const known = remembered.get(header)
  if (known !== undefined) return known
  const contentType = parseAll(header)
  if (contentType !== undefined && header.length <= MAX_REMEMBERED_LENGTH)
    remembered.set(header, contentType)
  return contentType
}

function parseAll(header: string): ContentType | undefined {
  let found: ContentType | undefined
  for (const value of header.slice(0, 1_000).split(',')) {
    const next = parseOne(value)
    if (next !== undefined) found = next.type === found?.type ? { ...found, ...next } : next
  }
  return found
}

function parseOne(value: string): ContentType | undefined {
  const [first = '', ...parameters] = value.split(';')
  // Some servers forget the semicolon. Browsers ignore all that follows the type then.
  const [type = ''] = first.trim().toLowerCase().split(/[\s(]/, 1)
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type) || UNKNOWN.test(type)) return undefined
  for (const parameter of parameters) {
    // As in browsers, quotation marks need not match, and text after the charset is ignored.
    const charset = /^\s*charset\s*=[\s"']*([^\s"']+)/i.exec(parameter)?.[1]
    if (charset !== undefined) return { type, charset }
  }
  return { type }
}

/** Returns true if this is a type of HTML pages, which are scanned for links. */
export function isHtml(type: string): boolean {
  return type === 'text/html' || type === 'application/xhtml+xml'
}

/** Returns true if this is a type of scripts, one of those that servers use (WHATWG MIME Sniffing standard, 4.6). */
export function isJavaScript(type: string): boolean {
  return /^(?:text|application)\/(?:x-)?(?:java|ecma)script$/.test(type)
}

/** The kinds of files, other than pages, that load further files. */
export type LoadingFile = 'style-sheet' | 'script' | 'manifest'

/**
 * Returns the kind of a file that may load further ones; undefined for others. Many servers don't know the type of
 * manifests.
 */
export function loadingFile(url: string, type: string): LoadingFile | undefined {
  if (type === 'text/css') return 'style-sheet'
  if (isJavaScript(type)) return 'script'
  if (type === 'application/manifest+json') return 'manifest'
  return MANIFEST_NAME.test(url) && MANIFEST_TYPES.test(type) ? 'manifest' : undefined
}
