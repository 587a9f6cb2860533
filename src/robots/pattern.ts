import { normalizeOctets, normalizeQuery } from './normalize-octets.ts'
import { type TrigramPair, trigramsOf } from './trigrams.ts'

/** A rule's path, compiled for matching. */
export interface Pattern {
  /** Literal prefix of matching paths: the part before the first `*`. */
  readonly head: string
  /** The part after the first `*`, which may contain further `*`; undefined without a `*`. */
  readonly tail: string | undefined
  /** Trigrams of the tail: a path that lacks one of them can't match. */
  readonly trigrams: TrigramPair
  /** True if the path must end where the pattern ends (`$`). */
  readonly anchored: boolean
  /** Length of the whole pattern with its `*` and `$`, as Google counts it: the longest wins. */
  readonly octets: number
}

/** Compiles a rule's path (RFC 9309, 2.2.3) to one pattern, rarely two. */
export function compilePattern(written: string): Pattern[] {
  const anchored = written.endsWith('$')
  const normalized = normalizeOctets(anchored ? written.slice(0, -1) : written)
  const octets = normalized.length + Number(anchored)
  return spellings(normalized).map((spelling) => {
    const star = spelling.indexOf('*')
    const head = star < 0 ? spelling : spelling.slice(0, star)
    const tail = star < 0 ? undefined : tailOf(spelling.slice(star + 1), anchored)
    return { head, tail, trigrams: trigramsOf(tail ?? ''), anchored, octets }
  })
}

/** Drops repeated `*`, and a `*` at an open end, since they make no difference. */
function tailOf(text: string, anchored: boolean): string | undefined {
  const tail = text.replace(/\*{2,}/g, '*').replace(/^\*/, '')
  if (anchored) return tail
  const open = tail.endsWith('*') ? tail.slice(0, -1) : tail
  return open === '' ? undefined : open
}

// Text after a `*` may match in the path or in the query. `%2F` equals `/` only in the query, so a
// second spelling is needed for the query.
function spellings(normalized: string): string[] {
  if (!normalized.includes('*')) return [normalizeQuery(normalized)]
  const spelling = normalizeQuery(normalized)
  const encoded = spelling.search(/%2F|%3F/)
  const wildcard = spelling.slice(0, Math.max(encoded, 0)).lastIndexOf('*')
  if (wildcard < 0) return [spelling]
  return [spelling, normalizeQuery(`${spelling.slice(0, wildcard)}*?${spelling.slice(wildcard)}`)]
}
