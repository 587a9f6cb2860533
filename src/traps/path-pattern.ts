import { digitTurns, looksRandom } from './random-id.ts'
import { isAspNetSession } from './url-alias.ts'

/** The token that stands for ids. */
export const ID_TOKEN = ':id'

/** The shape of a URL, which is the same for URLs that the same code generates. */
interface PathPattern {
  /** The generalized names of directories, of the file and of query parameters, each once. */
  readonly tokens: readonly string[]
  /** Number of segments and query names that were left out because they are repeated. */
  readonly repeats: number
}

/** Maximum number of segments that are read: deeper ones reveal nothing more about the code that generated the path. */
const MAX_SEGMENTS = 64
/** Number of repeated segments from which only the first name counts: broken relative links add names in any order. */
const MIN_REPEATS_TO_FOLD = 3
const MAX_TOKEN = 40
const MAX_QUERY_TOKEN = 120

/**
 * Returns the pattern of a URL. Numbers, dates and ids become placeholders, matrix parameters and queries keep only
 * their names, and repeats are folded, so that `/a/b/a/b/` and `/a/b/` or `/2026/11/` and `/2027/` are alike.
 *
 * @param url canonical
 */
export function pathPattern(url: string): PathPattern {
  const queryAt = url.indexOf('?')
  const path = url.slice(url.indexOf('/', 8) + 1, queryAt < 0 ? undefined : queryAt)
  const segments = eachOnce(path.split('/', MAX_SEGMENTS), segmentToken)
  const isFolded = segments.tokens.length > 1 && segments.repeats >= MIN_REPEATS_TO_FOLD
  const tokens = isFolded ? [...segments.tokens.slice(0, 1), '...'] : segments.tokens
  if (queryAt < 0) return { tokens, repeats: segments.repeats }
  const names = eachOnce(url.slice(queryAt + 1).split('&', MAX_SEGMENTS), queryToken)
  tokens.push(`?${names.tokens.sort().join('&')}`.slice(0, MAX_QUERY_TOKEN))
  return { tokens, repeats: segments.repeats + names.repeats }
}

/** Returns the different tokens of the parts, and the number of repeats. */
function eachOnce(
  parts: readonly string[],
  tokenOf: (part: string) => string,
): { readonly tokens: string[]; readonly repeats: number } {
  const tokens: string[] = []
  let repeats = 0
  for (const part of parts) {
    if (part === '') continue
    const token = tokenOf(part)
    if (tokens.includes(token)) repeats++
    else tokens.push(token)
  }
  return { tokens, repeats }
}

function segmentToken(segment: string): string {
  const parameterAt = segment.indexOf(';')
  if (parameterAt < 0) return generalize(segment)
  const valueAt = segment.indexOf('=', parameterAt)
  const name = segment.slice(parameterAt, valueAt < 0 ? undefined : valueAt)
  return `${generalize(segment.slice(0, parameterAt))}${generalize(name)}`
}

function queryToken(pair: string): string {
  const valueAt = pair.indexOf('=')
  return generalize(valueAt < 0 ? pair : pair.slice(0, valueAt))
}

/** Replaces numbers and ids with placeholders: `page-12.html` -> `page-#.html`; `f81d4fae-7dec-11d0` -> `:id`. */
function generalize(text: string): string {
  const short = text.length > MAX_TOKEN ? text.slice(0, MAX_TOKEN) : text
  const turns = digitTurns(short)
  if (turns === 0) return short
  if (looksRandom(short, turns) || isAspNetSession(text)) return ID_TOKEN
  return short.replace(/\d+(?:[-_.:]\d+)*/g, '#')
}
