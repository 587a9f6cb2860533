import { shownText } from '../../printable-text.ts'

/** Characters of a value; longer ones end in an ellipsis. */
const MOST_CHARACTERS = 2_000

/** A text of a server as a report shows it. */
export function cut(text: string, most = MOST_CHARACTERS): string {
  return shownText(text, most)
}
