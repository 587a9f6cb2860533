import { settleOctets, settleQuery } from './octets.ts'

/** A rule's path, ready to match. */
export interface Pattern {
  /** What a path must begin with: all up to the first `*`. */
  readonly head: string
  /** The literals between and after the `*`, to be found in this order. */
  readonly pieces: readonly string[]
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
    const [head = '', ...pieces] = spelling.replace(/\*+/g, '*').split('*')
    if (!anchored && pieces.at(-1) === '') pieces.pop()
    return { head, pieces, anchored, octets }
  })
}

// What follows a `*` may meet a path or a query, and `%2F` means different things in the two: the
// second spelling is for the query.
function spellings(settled: string): string[] {
  const spelling = settleQuery(settled)
  const encoded = spelling.search(/%2F|%3F/)
  const wildcard = spelling.slice(0, Math.max(encoded, 0)).lastIndexOf('*')
  if (wildcard < 0) return [spelling]
  return [spelling, settleQuery(`${spelling.slice(0, wildcard)}*?${spelling.slice(wildcard)}`)]
}

/**
 * Whether a path that begins with the pattern's head matches it whole. The leftmost place is taken
 * for every piece, which is never wrong, so there is nothing to go back to.
 */
export function matchesAfterHead({ head, pieces, anchored }: Pattern, path: string): boolean {
  const last = anchored ? pieces.at(-1) : ''
  if (last === undefined) return path.length === head.length
  let at = head.length
  for (let i = 0; i < pieces.length - Number(anchored); i++) {
    const piece = pieces[i] ?? ''
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return path.length - last.length >= at && path.endsWith(last)
}
