/** Returns the index of the first occurrence of a character at or after `from`; the text's length if there is none. */
export function indexOrEnd(text: string, character: string, from = 0): number {
  const index = text.indexOf(character, from)
  return index === -1 ? text.length : index
}
