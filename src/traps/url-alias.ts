import { pathStart } from '../url/origin.ts'
import { isSessionName } from '../url/query-rules.ts'
import { looksRandom } from './random-id.ts'

/**
 * The kinds of parts that may make a URL an alias of another URL, the surest first:
 * - `named`: a parameter whose name is used only for sessions, a session id in a path as ASP.NET writes it, or a
 *   parameter whose value contains a URL with the same parameter.
 * - `session`: a parameter whose name may stand for sessions, with a random value.
 * - `id`: a parameter with such a name, with one that often selects nothing, or with a random value, or a random
 *   segment of the path.
 * - `repeat`: a part that occurs twice in the URL.
 */
const ALIAS_KINDS = ['named', 'session', 'id', 'repeat'] as const

export type AliasKind = (typeof ALIAS_KINDS)[number]

/** A shorter URL that may lead to the same page as a URL. */
export interface PlainForm {
  readonly kind: AliasKind
  /** The URL without the parts that may make no difference. */
  readonly plain: string
  /** Identifies these parts. The evidence on a mark applies to all URLs of the host with the same mark. */
  readonly mark: string
  /** The mark that all repeated parts below one directory share, regardless of their names. */
  readonly directory?: string
  /** The parts of the kind `id`. If links of the page contain the same id, it isn't a session id. */
  readonly ids: readonly string[]
}

/** A segment of a path, or a parameter of a segment or a query. */
interface UrlPart {
  readonly separator: Separator
  readonly text: string
  /** Undefined for a part that always makes a difference, as most do. */
  readonly kind: AliasKind | undefined
  readonly mark: string
  /** True if the part is of the kind `id` or `session`, and its name shows that it may select nothing. */
  readonly isNamed: boolean
  /** The replacement of the part in the plain URL; undefined if it is left out. */
  readonly plain: string | undefined
}

type Separator = '/' | ';' | '?'

/** The properties of a part that always makes a difference. */
const DECISIVE = { kind: undefined, mark: '', isNamed: false, plain: undefined } as const

/** Matches names of parameters that may contain session ids or other values: `sid`, `XTCsid`, `sessionId`, `sess`. */
const MAYBE_SESSION = /session|(?<![a-z])(?:(?:php|asp|cgi|ses)?sid$|sess)/i
/** Matches names in which upper case sets `sid` apart, as in `userSid`, unlike `newsid`. */
const ENDS_WITH_SID = /[A-Z]sid$|[a-z]S(?:id|ID)$/
/**
 * Matches names of parameters that often select nothing: times and random numbers against caches, the page that a
 * visitor comes from, and words to highlight. It leaves out pages to return to: a page may link only to that one.
 */
const OFTEN_IRRELEVANT = new RegExp(
  '^(?:_|ts?|time(?:stamp)?|rnd|rand(?:om)?|no_?cache|cb|nonce|token|csrf_?token|ref|referr?er|ref_?url|from|' +
    'src|source|origin|via|highlight|hilit)$',
  'i',
)
/** Matches a path without parameters, without session ids, and with at most one number per segment: ids have more. */
const PLAIN_PATH = /^(?:\/(?!\()[^/;?\d]*(?:\d+[^/;?\d]*)?)*$/
/** Matches the rest of an encoded URL after the name of a parameter: its equals sign, encoded once or several times. */
const ENCODED_EQUALS = /^%(?:25)*3D/i
/** Matches a session id in a path as ASP.NET writes it: `/(S(lit3py55t21z5v55vlm25s55))/page`. */
const ASP_NET_SESSION = /^\((?:[A-Z]\([\w-]*\))+\)$/
const MAX_MARK = 100
/** Maximum length of an encoded equals sign. */
const MAX_ESCAPES = 64
/** Maximum number of parts. A URL with more is never an alias: comparing its parts would take long. */
const MAX_PARTS = 128
const NO_FORMS: PlainForm[] = []

/** Returns whether a segment of a path is a session id as ASP.NET writes it. */
export function isAspNetSession(segment: string): boolean {
  return ASP_NET_SESSION.test(segment)
}

/**
 * Returns the URLs that may lead to the same page as a URL: first without its parts of the surest kind, then without
 * its parts of the two surest kinds, and so on.
 *
 * @param url canonical
 */
export function plainFormsOf(url: string): PlainForm[] {
  const pathAt = pathStart(url)
  const pathAndQuery = url.slice(pathAt)
  if (isPlain(pathAndQuery)) return NO_FORMS
  const parts = partsOf(pathAndQuery)
  if (parts.length > MAX_PARTS || parts.every(({ kind }) => kind === undefined)) return NO_FORMS
  const kinds = ALIAS_KINDS.filter((kind) => parts.some((part) => part.kind === kind))
  return kinds.map((kind, index) => {
    const dropped = new Set(kinds.slice(0, index + 1))
    const plain = url.slice(0, pathAt) + plainText(parts, dropped)
    const marked = parts.filter((part) => part.kind !== undefined && dropped.has(part.kind))
    return { kind, plain, ...markAndIds(kind, marked, parts) }
  })
}

/** Returns whether all parts certainly make a difference, as in most URLs. Taking a URL apart takes much longer. */
function isPlain(pathAndQuery: string): boolean {
  if (!PLAIN_PATH.test(pathAndQuery)) return false
  const segments = pathAndQuery.split('/', MAX_PARTS + 1)
  return segments.every((text, index) => text === '' || segments.indexOf(text) === index)
}

/** Returns the mark, the directory and the ids of a plain form. @param marked the parts that are left out */
function markAndIds(kind: AliasKind, marked: readonly UrlPart[], parts: readonly UrlPart[]) {
  const own = marked.filter((part) => part.kind === kind)
  const ids = marked.filter((part) => part.kind === 'id').map(({ text }) => text)
  const directory = directoryOf(parts)
  if (kind === 'repeat') {
    // The mark has only the first of several repeated names, since their order varies.
    const others = marked.filter((part) => part.kind !== kind)
    return { mark: markOf(kind, [...own.slice(0, 1), ...others]), directory, ids }
  }
  const mark = markOf(kind, marked)
  // A random value without the name of a session may have another meaning in another directory.
  const isLocal = kind === 'id' && !own.every(({ isNamed }) => isNamed)
  return { mark: isLocal ? `${mark} ${directory}` : mark, ids }
}

function markOf(kind: AliasKind, parts: readonly UrlPart[]): string {
  const names = new Set(parts.map(({ mark }) => mark))
  return `${kind} ${[...names].sort().join(' ')}`.slice(0, MAX_MARK)
}

/** Returns a mark for the first directory of a path. */
function directoryOf([first, ...further]: readonly UrlPart[]): string {
  const isDirectory = first !== undefined && further.some(({ separator }) => separator === '/')
  return `below /${isDirectory ? (first.plain ?? first.text) : ''}`.slice(0, MAX_MARK)
}

function partsOf(pathAndQuery: string): UrlPart[] {
  const queryAt = pathAndQuery.indexOf('?')
  const pathEnd = queryAt < 0 ? pathAndQuery.length : queryAt
  const parts: UrlPart[] = []
  for (let at = 1; at <= pathEnd && parts.length <= MAX_PARTS; ) {
    const slash = pathAndQuery.indexOf('/', at)
    const end = slash < 0 || slash > pathEnd ? pathEnd : slash
    addSegment(pathAndQuery.slice(at, end), parts)
    at = end + 1
  }
  if (queryAt < 0 || parts.length > MAX_PARTS) return parts
  for (const each of pathAndQuery.slice(queryAt + 1).split('&', MAX_PARTS + 1)) {
    parts.push(parameterPart('?', each, parts))
  }
  return parts
}

/** Adds a segment of a path and its parameters to `parts`. */
function addSegment(segment: string, parts: UrlPart[]): void {
  if (!segment.includes(';')) {
    parts.push(segmentPart(segment, parts))
    return
  }
  const [name = '', ...parameters] = segment.split(';', MAX_PARTS + 1)
  parts.push(segmentPart(name, parts))
  for (const each of parameters) parts.push(parameterPart(';', each, parts))
}

/** @param before the preceding parts. The last one is in the mark of an id, so that ids of other things differ. */
function segmentPart(text: string, before: readonly UrlPart[]): UrlPart {
  const part = { ...DECISIVE, separator: '/', text } as const
  if (isAspNetSession(text)) return { ...part, kind: 'named', mark: '()' }
  if (looksRandom(text)) {
    const last = before.at(-1)
    const mark = `${last?.plain ?? last?.text ?? ''}/`
    return { ...part, kind: 'id', mark, plain: ':id' }
  }
  const isRepeated = text !== '' && isAmong(before, '/', text)
  return isRepeated ? { ...part, kind: 'repeat', mark: text } : part
}

function parameterPart(separator: ';' | '?', text: string, before: readonly UrlPart[]): UrlPart {
  const part = { ...DECISIVE, separator, text }
  const equals = text.indexOf('=')
  const name = equals < 0 ? text : text.slice(0, equals)
  const value = equals < 0 ? '' : text.slice(equals + 1)
  if (value !== '') {
    const mark = name.toLowerCase().replace(/\d+/g, '#')
    if (isSessionName(name) || isNested(name, value)) return { ...part, kind: 'named', mark }
    const isRandom = looksRandom(value)
    if (mayNameSession(name) || (isRandom && name === 's'))
      return { ...part, kind: isRandom ? 'session' : 'id', mark, isNamed: true }
    if (OFTEN_IRRELEVANT.test(name)) return { ...part, kind: 'id', mark, isNamed: true }
    if (isRandom) return { ...part, kind: 'id', mark, plain: `${name}=:id` }
  }
  const isRepeated = isAmong(before, separator, text)
  return isRepeated ? { ...part, kind: 'repeat', mark: `${separator}${name}` } : part
}

function mayNameSession(name: string): boolean {
  return MAYBE_SESSION.test(name) || ENDS_WITH_SID.test(name)
}

/** Returns whether the value contains a URL with the same parameter: `next=/login?next=...`, with escapes. */
function isNested(name: string, value: string): boolean {
  if (name === '' || value.length <= name.length || !value.includes('%')) return false
  const at = value.indexOf(`${name}%`)
  return (
    at >= 0 && ENCODED_EQUALS.test(value.slice(at + name.length, at + name.length + MAX_ESCAPES))
  )
}

/** Returns whether a part with this separator and text exists. For so few parts, comparing is faster than a set. */
function isAmong(parts: readonly UrlPart[], separator: Separator, text: string): boolean {
  for (const part of parts) if (part.text === text && part.separator === separator) return true
  return false
}

/** Returns the path and query that consist of the parts, without the dropped kinds. */
function plainText(parts: readonly UrlPart[], dropped: ReadonlySet<AliasKind>): string {
  let text = ''
  let hasQuery = false
  for (const part of parts) {
    const isDropped = part.kind !== undefined && dropped.has(part.kind)
    const shown = isDropped ? part.plain : part.text
    if (shown === undefined) continue
    text += `${part.separator === '?' && hasQuery ? '&' : part.separator}${shown}`
    hasQuery ||= part.separator === '?'
  }
  return text === '' ? '/' : text
}
