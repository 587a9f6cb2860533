import { isSessionName } from './query-rules.ts'
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
  /** What repeated parts of all kinds below one directory have in common. */
  readonly directory?: string
  /** The ids as a link of the page would hold them, were they to stay the same. */
  readonly ids: readonly string[]
}

/** A segment of a path, or a parameter. */
interface Part {
  readonly separator: '/' | ';' | '?'
  readonly text: string
  readonly kind?: AliasKind
  readonly mark?: string
  /** What stands for it in the plain URL; undefined where nothing does. */
  readonly plain?: string
}

/** Names that sessions have, and other things as well: `sid`, `sessionId`, `sess`. */
const MAYBE_SESSION = /sid$|sess/i
/** How ASP.NET writes it: `/(S(lit3py55t21z5v55vlm25s55))/page`. */
const ASP_NET_SESSION = /^\((?:[A-Z]\([\w-]*\))+\)$/
const MAX_MARK = 60

/** Whether a segment of a path is a session id as ASP.NET writes it. */
export function isAspNetSession(segment: string): boolean {
  return ASP_NET_SESSION.test(segment)
}

/** @param url canonical */
export function aliasOf(url: string): Alias | undefined {
  const pathAt = url.indexOf('/', url.indexOf('//') + 2)
  const parts = partsOf(url.slice(pathAt))
  const kind = ALIAS_KINDS.find((each) => parts.some((part) => part.kind === each))
  if (kind === undefined) return undefined
  const own = parts.filter((part) => part.kind === kind)
  const plain = url.slice(0, pathAt) + plainText(parts, kind)
  if (kind === 'repeat') {
    const mark = markOf(kind, own.slice(0, 1))
    return { kind, plain, mark, directory: `below /${parts[0]?.text ?? ''}`, ids: [] }
  }
  const ids = kind === 'id' ? own.map(({ text }) => text) : []
  return { kind, plain, mark: markOf(kind, own), ids }
}

function markOf(kind: AliasKind, parts: readonly Part[]): string {
  const names = new Set(parts.map(({ mark = '' }) => mark))
  return `${kind} ${[...names].sort().join(' ')}`.slice(0, MAX_MARK)
}

function partsOf(pathAndQuery: string): Part[] {
  const queryAt = pathAndQuery.indexOf('?')
  const path = queryAt < 0 ? pathAndQuery : pathAndQuery.slice(0, queryAt)
  const met = new Set<string>()
  const parts: Part[] = []
  for (const segment of path.slice(1).split('/')) {
    const [name = '', ...parameters] = segment.split(';')
    parts.push(segmentPart(name, met))
    for (const each of parameters) parts.push(parameterPart(';', each, met))
  }
  if (queryAt < 0) return parts
  for (const each of pathAndQuery.slice(queryAt + 1).split('&')) {
    parts.push(parameterPart('?', each, met))
  }
  return parts
}

function segmentPart(text: string, met: Set<string>): Part {
  const separator = '/'
  if (isAspNetSession(text)) return { separator, text, kind: 'named', mark: '()' }
  if (looksRandom(text)) return { separator, text, kind: 'id', mark: '/', plain: ':id' }
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
    const maybeSession = MAYBE_SESSION.test(name) || (isRandom && name === 's')
    if (maybeSession) return { separator, text, kind: isRandom ? 'session' : 'id', mark }
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

/** The parts without those of that kind. */
function plainText(parts: readonly Part[], kind: AliasKind): string {
  let text = ''
  let hasQuery = false
  for (const part of parts) {
    const shown = part.kind === kind ? part.plain : part.text
    if (shown === undefined) continue
    text += `${part.separator === '?' && hasQuery ? '&' : part.separator}${shown}`
    hasQuery ||= part.separator === '?'
  }
  return text === '' ? '/' : text
}
