/** A stretch of a text that is replaced. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** What a reference is to be replaced by; undefined where it stays. */
export type Relink = (reference: string) => string | undefined

/** @param edits in any order, none within another */
export function edited(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = []
  let done = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    pieces.push(text.slice(done, edit.start), edit.text)
    done = edit.end
  }
  return [...pieces, text.slice(done)].join('')
}
