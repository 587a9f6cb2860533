import { printableText } from '../../printable-text.ts'

/** Maximum characters of a value; longer ones end in an ellipsis. */
const MAX_CHARACTERS = 2_000

/** Returns printable text from a server, cut for a report. */
export function cutText(text: string, most = MAX_CHARACTERS): string {
  return printableText(text, most)
}
