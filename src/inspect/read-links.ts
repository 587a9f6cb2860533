import type { TextSource } from '../compressed-files/open-text.ts'
import { isObject, type LineFormat, readLines } from './read-json-lines.ts'

/** A link in a file of `--links`, which formats/per-visit/links.ts writes. */
export interface RecordedLink {
  readonly from: string
  /** The URL of the link, with its fragment. */
  readonly to: string
  readonly text?: string
}

const FORM: LineFormat = {
  name: 'links',
  files: 'the JSON lines that --links writes',
  problemIn(value) {
    const isLink = isObject(value) && isText(value['from']) && isText(value['to'])
    if (!isLink) return 'a link, a JSON object with `from` and `to`'
    const { text = '' } = value
    return isText(text) ? undefined : 'a text as `text`'
  },
}

/**
 * Yields the links of a file that `--links` wrote, like `readLines`.
 * @throws CrawlerError('usage') when the file can't be read, or a line is not a link
 */
export function readLinks(file: TextSource): AsyncGenerator<RecordedLink> {
  return readLines(file, FORM) as AsyncGenerator<RecordedLink>
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}
