/** Returns where a character is in a text from a position on; the end of the text if it isn't. */
export function indexOrEnd(text: string, character: string, from = 0): number {
  const index = text.indexOf(character, from)
  return index === -1 ? text.length : index
}
