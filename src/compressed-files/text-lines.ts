import { CrawlerError } from '../errors.ts'
import { nameOfSource, openText, type TextSource } from './open-text.ts'

export interface TextLine {
  readonly text: string
  /** False for a last line without a line end, which a running or killed crawl leaves. */
  readonly isWhole: boolean
}

const BYTE_ORDER_MARK = /^\uFEFF/

/** Maximum characters per line: more than any record has, with all its data. */
const MAX_LINE = 2 ** 24

/**
 * Yields the lines of a text file, compressed or not, without a byte order mark.
 * @throws CrawlerError('usage') for a line that is too long; errors of the file system and of the content
 */
export async function* textLines(file: TextSource): AsyncGenerator<TextLine> {
  let rest = ''
  let isStart = true
  for await (const chunk of await openText(file)) {
    const lines = (isStart ? `${chunk}`.replace(BYTE_ORDER_MARK, '') : `${chunk}`).split('\n')
    isStart = false
    // Only the new text is searched for line ends, so that a long line takes linear time.
    lines[0] = rest + (lines[0] ?? '')
    rest = lines.pop() ?? ''
    for (const line of lines) yield { text: line, isWhole: true }
    if (rest.length > MAX_LINE)
      throw new CrawlerError('usage', `${nameOfSource(file)}: expected lines of at most 16 MiB`)
  }
  if (rest !== '') yield { text: rest, isWhole: false }
}
