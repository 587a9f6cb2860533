/** A range of a text and its replacement. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Returns the replacement for a reference; undefined to leave it. */
export type LinkRewriter = (reference: string) => string | undefined

/** @param edits in any order, without overlaps */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const pieces: string[] = []
  let done = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    pieces.push(text.slice(done, edit.start), edit.text)
    done = edit.end
  }
  return [...pieces, text.slice(done)].join('')
}
