import { shownText } from '../../printable-text.ts'

/** Maximum characters of a value; longer ones end in an ellipsis. */
const MOST_CHARACTERS = 2_000

/** Returns printable text from a server, cut for a report. */
export function cut(text: string, most = MOST_CHARACTERS): string {
  return shownText(text, most)
}
