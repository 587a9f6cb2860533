import { settleOctets, settleQuery } from './octets.ts'
import { type TrigramPair, trigramsOf } from './trigrams.ts'

/** A rule's path, ready to match. */
export interface Pattern {
  /** What a path must begin with: all up to the first `*`. */
  readonly head: string
  /** What follows the first `*`, perhaps with further `*`; undefined where there is none. */
  readonly tail: string | undefined
  /** Trigrams of the tail: a path without one of them can't match. */
  readonly trigrams: TrigramPair
  /** Whether the path must end with the pattern (`$`). */
  readonly anchored: boolean
  /** Length of the whole pattern with its `*` and `$`, as Google counts it: the longest wins. */
  readonly octets: number
}

/** The patterns that a rule's path stands for (RFC 9309, 2.2.3): one, seldom two. */
export function compilePattern(written: string): Pattern[] {
  const anchored = written.endsWith('$')
  const settled = settleOctets(anchored ? written.slice(0, -1) : written)
  const octets = settled.length + Number(anchored)
  return spellings(settled).map((spelling) => {
    const star = spelling.indexOf('*')
    const head = star < 0 ? spelling : spelling.slice(0, star)
    const tail = star < 0 ? undefined : tailOf(spelling.slice(star + 1), anchored)
    return { head, tail, trigrams: trigramsOf(tail ?? ''), anchored, octets }
  })
}

/** Several `*` in a row say no more than one, and those at an open end say nothing. */
function tailOf(text: string, anchored: boolean): string | undefined {
  const tail = text.replace(/\*{2,}/g, '*').replace(/^\*/, '')
  if (anchored) return tail
  const open = tail.endsWith('*') ? tail.slice(0, -1) : tail
  return open === '' ? undefined : open
}

// What follows a `*` may meet a path or a query, and `%2F` means different things in the two: the
// second spelling is for the query.
function spellings(settled: string): string[] {
  if (!settled.includes('*')) return [settleQuery(settled)]
  const spelling = settleQuery(settled)
  const encoded = spelling.search(/%2F|%3F/)
  const wildcard = spelling.slice(0, Math.max(encoded, 0)).lastIndexOf('*')
  if (wildcard < 0) return [spelling]
  return [spelling, settleQuery(`${spelling.slice(0, wildcard)}*?${spelling.slice(wildcard)}`)]
}
