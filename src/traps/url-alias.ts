import { isSessionName } from '../url/query-rules.ts'
import { looksRandom } from './random-id.ts'

/**
 * The reasons for which a URL may be another name of a page, the surest first:
 * - `named`: a parameter whose name stands for sessions and nothing else.
 * - `session`: a parameter whose name may stand for sessions, with a random value.
 * - `id`: only one of the two.
 * - `repeat`: a part that the URL has twice.
 */
export const ALIAS_KINDS = ['named', 'session', 'id', 'repeat'] as const

export type AliasKind = (typeof ALIAS_KINDS)[number]

/** A URL that may be another name of a page. */
export interface Alias {
  readonly kind: AliasKind
  /** The URL without the parts that may make no difference. */
  readonly plain: string
  /** Stands for these parts: the evidence on a mark holds for all URLs with the same one. */
  readonly mark: string
  /** The mark that repeated parts of all names below one directory share. */
  readonly directory?: string
  /** The parts that may be ids of anything. Links of the page hold an id, too, if it is none of a session. */
  readonly ids: readonly string[]
}

/** A segment of a path, or a parameter. */
interface UrlPart {
  readonly separator: Separator
  readonly text: string
  /** Undefined for a part that makes no alias: most have none. */
  readonly kind: AliasKind | undefined
  readonly mark: string
  /** True when its name may stand for a session. */
  readonly isNamed: boolean
  /** Its replacement in the plain URL; undefined when it is left out. */
  readonly plain: string | undefined
}

type Separator = '/' | ';' | '?'

/** Names that sessions have, and other things too: `sid`, `sessionId`, `sess`. */
const MAYBE_SESSION = /sid$|session|(?<![a-z])sess/i
/** A session id in a path, as ASP.NET writes it: `/(S(lit3py55t21z5v55vlm25s55))/page`. */
const ASP_NET_SESSION = /^\((?:[A-Z]\([\w-]*\))+\)$/
const MAX_MARK = 100
/** Parts of a URL above which it counts as no alias: it would take long to look through them. */
const MAX_PARTS = 128
const NO_ALIASES: Alias[] = []

/** Returns whether a segment of a path is a session id as ASP.NET writes it. */
export function isAspNetSession(segment: string): boolean {
  return ASP_NET_SESSION.test(segment)
}

/**
 * Returns the URLs of which a URL may be another name: without its parts of the surest kind, without those of the
 * two surest kinds, and so on.
 *
 * @param url canonical
 */
export function aliasesOf(url: string): Alias[] {
  const pathAt = url.indexOf('/', url.indexOf('//') + 2)
  const parts = partsOf(url.slice(pathAt))
  if (parts.length > MAX_PARTS || parts.every(({ kind }) => kind === undefined)) return NO_ALIASES
  const kinds = ALIAS_KINDS.filter((kind) => parts.some((part) => part.kind === kind))
  return kinds.map((kind, index) => {
    const dropped = new Set(kinds.slice(0, index + 1))
    const plain = url.slice(0, pathAt) + plainText(parts, dropped)
    const marked = parts.filter((part) => part.kind !== undefined && dropped.has(part.kind))
    return { kind, plain, ...aboutOf(kind, marked, parts) }
  })
}

/** Returns the mark of an alias. @param marked the parts that are left out */
function aboutOf(kind: AliasKind, marked: readonly UrlPart[], parts: readonly UrlPart[]) {
  const own = marked.filter((part) => part.kind === kind)
  const ids = marked.filter((part) => part.kind === 'id').map(({ text }) => text)
  const directory = directoryOf(parts)
  if (kind === 'repeat') {
    // Only the first of several repeated names: they come in any order.
    const others = marked.filter((part) => part.kind !== kind)
    return { mark: markOf(kind, [...own.slice(0, 1), ...others]), directory, ids }
  }
  const mark = markOf(kind, marked)
  // A part without a telling name may mean another thing in another part of the site.
  const isLocal = kind === 'id' && !own.every(({ isNamed }) => isNamed)
  return { mark: isLocal ? `${mark} ${directory}` : mark, ids }
}

function markOf(kind: AliasKind, parts: readonly UrlPart[]): string {
  const names = new Set(parts.map(({ mark }) => mark))
  return `${kind} ${[...names].sort().join(' ')}`.slice(0, MAX_MARK)
}

/** Returns the first directory of a path. */
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

/** Adds a segment of a path, and its parameters. */
function addSegment(segment: string, parts: UrlPart[]): void {
  if (!segment.includes(';')) {
    parts.push(segmentPart(segment, parts))
    return
  }
  const [name = '', ...parameters] = segment.split(';', MAX_PARTS + 1)
  parts.push(segmentPart(name, parts))
  for (const each of parameters) parts.push(parameterPart(';', each, parts))
}

/** @param before the parts before it: ids of different things have nothing in common */
function segmentPart(text: string, before: readonly UrlPart[]): UrlPart {
  if (isAspNetSession(text)) return part('/', text, 'named', '()')
  if (looksRandom(text)) {
    const last = before.at(-1)
    const mark = `${last?.plain ?? last?.text ?? ''}/`
    return part('/', text, 'id', mark, ':id')
  }
  return text !== '' && isAmong(before, '/', text)
    ? part('/', text, 'repeat', text)
    : part('/', text)
}

function parameterPart(separator: ';' | '?', text: string, before: readonly UrlPart[]): UrlPart {
  const equals = text.indexOf('=')
  const name = equals < 0 ? text : text.slice(0, equals)
  const value = equals < 0 ? '' : text.slice(equals + 1)
  if (value !== '') {
    const mark = name.toLowerCase().replace(/\d+/g, '#')
    if (isSessionName(name)) return part(separator, text, 'named', mark)
    const isRandom = looksRandom(value)
    const isNamed = MAYBE_SESSION.test(name) || (isRandom && name === 's')
    if (isNamed) return part(separator, text, isRandom ? 'session' : 'id', mark, undefined, isNamed)
    if (isRandom) return part(separator, text, 'id', mark, `${name}=:id`)
  }
  return isAmong(before, separator, text)
    ? part(separator, text, 'repeat', `${separator}${name}`)
    : part(separator, text)
}

/** Returns whether there is such a part. There are few, so that comparing them is faster than a set. */
function isAmong(parts: readonly UrlPart[], separator: Separator, text: string): boolean {
  for (const part of parts) if (part.text === text && part.separator === separator) return true
  return false
}

function part(
  separator: Separator,
  text: string,
  kind?: AliasKind,
  mark = '',
  plain?: string,
  isNamed = false,
): UrlPart {
  return { separator, text, kind, mark, isNamed, plain }
}

/** Returns the text of the parts, without the dropped kinds. */
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
