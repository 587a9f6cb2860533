/** Returns the index of the first occurrence of a mark at or after `from`; the text's length if there is none. */
export function indexOrEnd(text: string, mark: string, from = 0): number {
  const index = text.indexOf(mark, from)
  return index === -1 ? text.length : index
}
