import { printableText } from '../../printable-text.ts'

/** Maximum characters of a value; longer ones end in an ellipsis. */
const MAX_CHARACTERS = 2_000

/** Returns text from a server without unprintable characters, and cut for a report. */
export function cutText(text: string): string {
  return printableText(text, MAX_CHARACTERS)
}
