import { isSessionName } from '../url/query-rules.ts'
import { looksRandom } from './random-id.ts'

/**
 * Why a URL may be another name of a page that has one already, the surest reason first: a parameter
 * that is named for sessions and nothing else; one that may be named for them, with a value drawn at
 * random; only one of the two; or a part of the URL that it has twice.
 */
export const ALIAS_KINDS = ['named', 'session', 'id', 'repeat'] as const

export type AliasKind = (typeof ALIAS_KINDS)[number]

/** A URL that may be another name of a page. */
export interface Alias {
  readonly kind: AliasKind
  /** The URL without the parts that may make no difference. */
  readonly plain: string
  /** What these parts are: what is found out about them holds for others like them. */
  readonly mark: string
  /** What repeated parts of all names below one directory have in common. */
  readonly directory?: string
  /** Those of them that may be ids of anything, as links of the page hold them where they stay. */
  readonly ids: readonly string[]
}

/** A segment of a path, or a parameter. */
interface Part {
  readonly separator: '/' | ';' | '?'
  readonly text: string
  readonly kind?: AliasKind
  readonly mark?: string
  /** Its name may be that of a session. */
  readonly isNamed?: boolean
  /** What stands for it in the plain URL; undefined where nothing does. */
  readonly plain?: string
}

/** Names that sessions have, and other things as well: `sid`, `sessionId`, `sess`. */
const MAYBE_SESSION = /sid$|session|(?<![a-z])sess/i
/** How ASP.NET writes it: `/(S(lit3py55t21z5v55vlm25s55))/page`. */
const ASP_NET_SESSION = /^\((?:[A-Z]\([\w-]*\))+\)$/
const MAX_MARK = 100
/** Parts of a URL from which on it is taken for no alias: they would take long to look through. */
const MAX_PARTS = 128

/** Whether a segment of a path is a session id as ASP.NET writes it. */
export function isAspNetSession(segment: string): boolean {
  return ASP_NET_SESSION.test(segment)
}

/**
 * Returns what a URL may be another name of: without its parts of the surest kind, without those of the
 * two surest ones, and so on.
 *
 * @param url canonical
 */
export function aliasesOf(url: string): Alias[] {
  const pathAt = url.indexOf('/', url.indexOf('//') + 2)
  const parts = partsOf(url.slice(pathAt))
  if (parts.length > MAX_PARTS) return []
  const kinds = ALIAS_KINDS.filter((kind) => parts.some((part) => part.kind === kind))
  return kinds.map((kind, index) => {
    const dropped = new Set(kinds.slice(0, index + 1))
    const plain = url.slice(0, pathAt) + plainText(parts, dropped)
    const marked = parts.filter((part) => part.kind !== undefined && dropped.has(part.kind))
    return { kind, plain, ...aboutOf(kind, marked, parts) }
  })
}

/** @param marked the parts that are left out */
function aboutOf(kind: AliasKind, marked: readonly Part[], parts: readonly Part[]) {
  const own = marked.filter((part) => part.kind === kind)
  const ids = marked.filter((part) => part.kind === 'id').map(({ text }) => text)
  const directory = directoryOf(parts)
  if (kind === 'repeat') {
    // Of several names that repeat the first one: they come in any order.
    const others = marked.filter((part) => part.kind !== kind)
    return { mark: markOf(kind, [...own.slice(0, 1), ...others]), directory, ids }
  }
  const mark = markOf(kind, marked)
  // What has no name, or one that says nothing, may be another thing in another part of the site.
  const isLocal = kind === 'id' && !own.every(({ isNamed }) => isNamed)
  return { mark: isLocal ? `${mark} ${directory}` : mark, ids }
}

function markOf(kind: AliasKind, parts: readonly Part[]): string {
  const names = new Set(parts.map(({ mark = '' }) => mark))
  return `${kind} ${[...names].sort().join(' ')}`.slice(0, MAX_MARK)
}

/** The first directory of a path. */
function directoryOf([first, ...further]: readonly Part[]): string {
  const isDirectory = first !== undefined && further.some(({ separator }) => separator === '/')
  return `below /${isDirectory ? (first.plain ?? first.text) : ''}`.slice(0, MAX_MARK)
}

function partsOf(pathAndQuery: string): Part[] {
  const queryAt = pathAndQuery.indexOf('?')
  const path = queryAt < 0 ? pathAndQuery : pathAndQuery.slice(0, queryAt)
  const met = new Set<string>()
  const parts: Part[] = []
  for (const segment of path.slice(1).split('/', MAX_PARTS + 1)) {
    const [name = '', ...parameters] = segment.split(';', MAX_PARTS + 1)
    parts.push(segmentPart(name, met, parts.at(-1)))
    for (const each of parameters) parts.push(parameterPart(';', each, met))
    if (parts.length > MAX_PARTS) return parts
  }
  if (queryAt < 0) return parts
  for (const each of pathAndQuery.slice(queryAt + 1).split('&', MAX_PARTS + 1)) {
    parts.push(parameterPart('?', each, met))
  }
  return parts
}

/** @param before what stands before it: ids of different things have nothing in common */
function segmentPart(text: string, met: Set<string>, before: Part | undefined): Part {
  const separator = '/'
  if (isAspNetSession(text)) return { separator, text, kind: 'named', mark: '()' }
  if (looksRandom(text)) {
    const mark = `${before?.plain ?? before?.text ?? ''}/`
    return { separator, text, kind: 'id', mark, plain: ':id' }
  }
  if (text === '' || isNew(text, met)) return { separator, text }
  return { separator, text, kind: 'repeat', mark: text }
}

function parameterPart(separator: ';' | '?', text: string, met: Set<string>): Part {
  const equals = text.indexOf('=')
  const name = equals < 0 ? text : text.slice(0, equals)
  const value = equals < 0 ? '' : text.slice(equals + 1)
  if (value !== '') {
    const mark = name.toLowerCase().replace(/\d+/g, '#')
    if (isSessionName(name)) return { separator, text, kind: 'named', mark }
    const isRandom = looksRandom(value)
    const isNamed = MAYBE_SESSION.test(name) || (isRandom && name === 's')
    if (isNamed) return { separator, text, kind: isRandom ? 'session' : 'id', mark, isNamed }
    if (isRandom) return { separator, text, kind: 'id', mark, plain: `${name}=:id` }
  }
  if (isNew(`${separator}${text}`, met)) return { separator, text }
  return { separator, text, kind: 'repeat', mark: `${separator}${name}` }
}

/** Notes a part; false where it was met before. */
function isNew(text: string, met: Set<string>): boolean {
  const before = met.size
  return met.add(text).size > before
}

/** The parts without those of these kinds. */
function plainText(parts: readonly Part[], dropped: ReadonlySet<AliasKind>): string {
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
